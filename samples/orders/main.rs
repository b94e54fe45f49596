//! orders: tools that speak to a shop over HTTP, through subako_http. A
//! credential of the host adds the authorization header; the module never sees
//! it. Rust's standard library and nothing else.

mod http;
mod json;
mod orders;

use json::{quote, Value};
use std::io::{self, BufRead, Write};

const VERSION: &str = "2026-07-28";
const DISCOVER: &str = concat!(
    r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"#,
    r#""instructions":"Orders of a shop. Create an order before you ship it.","#,
    r#""ttlMs":3600000,"cacheScope":"public","#,
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"orders","version":"1.0.0"}}}"#
);

fn main() -> io::Result<()> {
    let (mut stdin, mut stdout) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while stdin.read_until(b'\n', &mut line)? > 0 {
        if let Some(answer) = answer(&String::from_utf8_lossy(&line)) {
            stdout.write_all(answer.as_bytes())?;
            stdout.write_all(b"\n")?;
            stdout.flush()?;
        }
        line.clear();
    }
    Ok(())
}

/// The answer to a line; None for what wants none.
fn answer(line: &str) -> Option<String> {
    let request = json::parse(line)?;
    let id = request.get("id")?.raw;
    let method = request.get("method")?.text()?;
    let params = request.get("params");
    let member = match refusal(params.and_then(|p| p.get("_meta"))) {
        Some(error) => error,
        None => match method {
            "server/discover" => result(DISCOVER),
            "tools/list" => result(orders::LIST),
            "tools/call" => call(params),
            _ => error(-32601, "this method is not known here", ""),
        },
    };
    Some(format!(r#"{{"jsonrpc":"2.0","id":{},{}}}"#, id, member))
}

fn result(value: &str) -> String {
    format!(r#""result":{}"#, value)
}

fn error(code: i32, message: &str, data: &str) -> String {
    format!(r#""error":{{"code":{},"message":{}{}}}"#, code, quote(message), data)
}

/// What MCP refuses before it looks at the method.
fn refusal(meta: Option<&Value>) -> Option<String> {
    let member = |name: &str| meta.and_then(|m| m.get(&format!("io.modelcontextprotocol/{}", name)));
    let version = member("protocolVersion").and_then(|v| v.text());
    let capable = member("clientCapabilities").map_or(false, |c| c.is_object());
    match version {
        Some(VERSION) if capable => None,
        Some(other) if capable => {
            let data = format!(r#","data":{{"supported":["{}"],"requested":{}}}"#, VERSION, quote(other));
            Some(error(-32022, "this revision is not spoken here", &data))
        }
        _ => Some(error(-32602, "_meta must hold the protocol revision and the client's capabilities", "")),
    }
}

fn call(params: Option<&Value>) -> String {
    let none = Value { raw: "{}", kind: json::Kind::Object(Vec::new()) };
    let arguments = params.and_then(|p| p.get("arguments")).unwrap_or(&none);
    let name = params.and_then(|p| p.get("name")).and_then(|n| n.text()).unwrap_or_default();
    let outcome = match orders::call(name, arguments) {
        Some(outcome) if arguments.is_object() => outcome,
        Some(_) => Err("arguments must be an object".into()),
        None => return error(-32602, "there is no such tool", ""),
    };
    let text = |t: &str| format!(r#"{{"resultType":"complete","content":[{{"type":"text","text":{}}}]"#, quote(t));
    result(&match outcome {
        Ok(value) => format!(r#"{},"structuredContent":{}}}"#, text(&value), value),
        Err(why) => format!(r#"{},"isError":true}}"#, text(&why)),
    })
}
