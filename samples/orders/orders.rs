//! The four tools: orders of a shop at api.example.com.

use crate::http::{self, Answer};
use crate::json::{self, quote, Value};

const ORDERS: &str = "https://api.example.com/orders";
/// A host that the allowlist of this sample leaves out: the call goes on
/// without it.
const RATES: &str = "https://rates.example.net/eur";

/// The value of a call as JSON, or a failure that the model should read.
pub type Outcome = Result<String, String>;

/// The result of tools/list.
pub const LIST: &str = concat!(
    r#"{"resultType":"complete","tools":["#,
    r#"{"name":"find","title":"Find orders","description":"Find orders, the newest first.","#,
    r#""inputSchema":{"type":"object","properties":{"#,
    r#""status":{"type":"string","enum":["open","shipped","cancelled"],"description":"Only orders in this state."},"#,
    r#""customer":{"type":["integer","null"],"description":"Only orders of this customer."},"#,
    r#""limit":{"type":"integer","minimum":1,"maximum":50,"default":10}}},"#,
    r#""outputSchema":{"type":"object","properties":{"orders":{"type":"array","items":{"type":"object"}}},"required":["orders"]},"#,
    r#""annotations":{"readOnlyHint":true}},"#,
    r#"{"name":"create","title":"Create an order","description":"Create an order, and say where it is and what it costs in euros.","#,
    r#""inputSchema":{"type":"object","properties":{"#,
    r#""customer":{"type":"object","properties":{"#,
    r#""id":{"type":"integer","description":"The customer's number."},"#,
    r#""email":{"type":"string","format":"email"}},"required":["id"]},"#,
    r#""lines":{"type":"array","minItems":1,"maxItems":50,"items":{"type":"object","properties":{"#,
    r#""sku":{"type":"string","minLength":1,"examples":["TEA-7"]},"#,
    r#""qty":{"type":"integer","minimum":1,"default":1}},"required":["sku"]}},"#,
    r#""pay":{"oneOf":["#,
    r#"{"title":"card","type":"object","properties":{"kind":{"const":"card"},"token":{"type":"string"}},"required":["kind","token"]},"#,
    r#"{"title":"invoice","type":"object","properties":{"kind":{"const":"invoice"},"vat_id":{"type":"string"}},"required":["kind"]},"#,
    r#"{"title":"voucher","type":"object","properties":{"kind":{"const":"voucher"},"code":{"type":"string"}},"required":["kind","code"]}]},"#,
    r#""gift":{"type":["string","null"],"description":"What the card says; null for no card."},"#,
    r#""note":{"type":"string","description":"For the driver."},"#,
    r#""urgent":{"type":"boolean","default":false}},"required":["customer","lines","pay"]},"#,
    r#""outputSchema":{"type":"object","properties":{"id":{"type":"integer"},"status":{"type":"string"},"eur":{"type":["number","null"]}},"required":["id"]}},"#,
    r#"{"name":"ship","title":"Ship an order","description":"Hand an order to a carrier.","#,
    r#""inputSchema":{"type":"object","properties":{"id":{"type":"integer"},"#,
    r#""carrier":{"type":"string","enum":["post","bike","ship"],"default":"post"}},"required":["id"]},"#,
    r#""outputSchema":{"type":"object","properties":{"id":{"type":"integer"},"status":{"type":"string"}},"required":["id","status"]}},"#,
    r#"{"name":"cancel","title":"Cancel an order","description":"Cancel an order that is not shipped yet.","#,
    r#""inputSchema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]},"#,
    r#""outputSchema":{"type":"object","properties":{"cancelled":{"type":"integer"}},"required":["cancelled"]},"#,
    r#""annotations":{"destructiveHint":true}}"#,
    r#"],"ttlMs":3600000,"cacheScope":"public"}"#
);

/// Calls a tool; None when there is no such tool.
pub fn call(name: &str, arguments: &Value) -> Option<Outcome> {
    Some(match name {
        "find" => find(arguments),
        "create" => create(arguments),
        "ship" => ship(arguments),
        "cancel" => cancel(arguments),
        _ => return None,
    })
}

fn find(arguments: &Value) -> Outcome {
    let limit = match arguments.get("limit") {
        None => "10",
        Some(v) if v.is_integer() && matches!(v.raw.parse(), Ok(1..=50)) => v.raw,
        Some(_) => return fail("limit must be a whole number from 1 to 50"),
    };
    let mut url = format!("{}?limit={}", ORDERS, limit);
    match arguments.get("status").map(|v| v.text()) {
        None => {}
        Some(Some(s @ ("open" | "shipped" | "cancelled"))) => url.push_str(&format!("&status={}", s)),
        Some(_) => return fail("status must be open, shipped or cancelled"),
    }
    match arguments.get("customer") {
        None => {}
        Some(v) if v.is_null() => {}
        Some(v) if v.is_integer() => url.push_str(&format!("&customer={}", v.raw)),
        Some(_) => return fail("customer must be a whole number or null"),
    }
    ask("GET", &url, "")
}

fn create(arguments: &Value) -> Outcome {
    check(arguments)?;
    // The order goes on as it was given: numbers keep each digit.
    let order = ask("POST", ORDERS, arguments.raw)?;
    let id = match json::parse(&order) {
        Some(order) => order.get("id").map(|id| id.raw.to_string()).unwrap_or_default(),
        None => return fail("the shop's answer is not JSON"),
    };
    let status = match http::send("GET", &format!("{}/{}/track", ORDERS, id), "") {
        Answer::Ok { status: 200, body } => field(&body, "status").unwrap_or_else(|| "null".into()),
        other => {
            log(&format!("tracking: {}", describe(&other)));
            quote("accepted")
        }
    };
    let eur = match http::send("GET", RATES, "") {
        Answer::Ok { status: 200, body } => field(&body, "eur").unwrap_or_else(|| "null".into()),
        other => {
            log(&format!("rates: {}; going on without euros", describe(&other)));
            "null".into()
        }
    };
    Ok(format!(r#"{{"id":{},"status":{},"eur":{}}}"#, id, status, eur))
}

/// What Subako does not check, the module must.
fn check(arguments: &Value) -> Result<(), String> {
    match arguments.get("customer").and_then(|c| c.get("id")) {
        Some(id) if id.is_integer() => {}
        _ => return Err("customer.id must be a whole number".into()),
    }
    let lines = match arguments.get("lines").and_then(|l| l.list()) {
        Some(lines) if (1..=50).contains(&lines.len()) => lines,
        _ => return Err("lines must hold 1 to 50 lines".into()),
    };
    for (i, line) in lines.iter().enumerate() {
        match line.get("sku").and_then(|s| s.text()) {
            Some(sku) if !sku.is_empty() => {}
            _ => return Err(format!("lines[{}].sku must not be empty", i)),
        }
        match line.get("qty") {
            None => {}
            Some(qty) if qty.is_integer() && !qty.raw.starts_with('-') && qty.raw != "0" => {}
            Some(_) => return Err(format!("lines[{}].qty must be a whole number, at least 1", i)),
        }
    }
    let pay = arguments.get("pay");
    let wanted = match pay.and_then(|p| p.get("kind")).and_then(|k| k.text()) {
        Some("card") => "token",
        Some("voucher") => "code",
        Some("invoice") => return Ok(()),
        _ => return Err("pay.kind must be card, invoice or voucher".into()),
    };
    match pay.and_then(|p| p.get(wanted)).and_then(|v| v.text()) {
        Some(_) => Ok(()),
        None => Err(format!("pay.{} must be a string", wanted)),
    }
}

fn ship(arguments: &Value) -> Outcome {
    let id = order_id(arguments)?;
    let carrier = match arguments.get("carrier").map(|c| c.text()) {
        None => "post",
        Some(Some(c @ ("post" | "bike" | "ship"))) => c,
        Some(_) => return fail("carrier must be post, bike or ship"),
    };
    let body = format!(r#"{{"carrier":{}}}"#, quote(carrier));
    ask("POST", &format!("{}/{}/ship", ORDERS, id), &body)
}

fn cancel(arguments: &Value) -> Outcome {
    let id = order_id(arguments)?;
    ask("DELETE", &format!("{}/{}", ORDERS, id), "")?;
    Ok(format!(r#"{{"cancelled":{}}}"#, id))
}

fn order_id<'a>(arguments: &Value<'a>) -> Result<&'a str, String> {
    match arguments.get("id") {
        Some(id) if id.is_integer() && !id.raw.starts_with('-') => Ok(id.raw),
        _ => Err("id must be a whole number".into()),
    }
}

/// Asks the shop. Its refusal becomes a failure for the model, in its words.
fn ask(method: &str, url: &str, body: &str) -> Outcome {
    let answer = http::send(method, url, body);
    log(&format!("{} {}: {}", method, url, describe(&answer)));
    match answer {
        Answer::Ok { status: 204, .. } => Ok(String::new()),
        Answer::Ok { status, body } if (200..300).contains(&status) => match json::parse(&body) {
            Some(value) => Ok(one_line(value.raw)),
            None => fail("the shop's answer is not JSON"),
        },
        Answer::Ok { status, body } => Err(match field(&body, "message") {
            Some(message) => format!("the shop answers {}: {}", status, message.trim_matches('"')),
            None => format!("the shop answers {}", status),
        }),
        Answer::Error { kind, message } => Err(format!("the shop cannot be reached: {}: {}", kind, message)),
    }
}

/// A member of a JSON object, as it stands there.
fn field(object: &str, name: &str) -> Option<String> {
    Some(one_line(json::parse(object)?.get(name)?.raw))
}

/// JSON without line breaks, which can only stand between its tokens: an answer
/// is one line, whatever the shop sends.
fn one_line(json: &str) -> String {
    json.replace(|c| c == '\n' || c == '\r', " ")
}

fn describe(answer: &Answer) -> String {
    match answer {
        Answer::Ok { status, body } => format!("{}, {} bytes", status, body.len()),
        Answer::Error { kind, message } => format!("{}: {}", kind, message),
    }
}

fn fail<T>(why: &str) -> Result<T, String> {
    Err(why.into())
}

fn log(text: &str) {
    eprintln!("orders: {}", text);
}
