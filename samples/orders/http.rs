//! HTTP by subako_http: a request as JSON, and its answer as JSON.

use crate::json::{self, quote};

mod host {
    #[link(wasm_import_module = "subako_http")]
    extern "C" {
        pub fn request(ptr: *const u8, len: i32) -> i32;
        pub fn read_response(ptr: *mut u8, len: i32) -> i32;
    }
}

/// What a server answered, or why none did.
pub enum Answer {
    Ok { status: i64, body: String },
    Error { kind: String, message: String },
}

/// Sends a request. `body` is JSON, or empty for none.
pub fn send(method: &str, url: &str, body: &str) -> Answer {
    let mut request = format!(
        r#"{{"method":{},"url":{},"headers":{{"accept":"application/json"}},"timeout_ms":5000"#,
        quote(method),
        quote(url)
    );
    if !body.is_empty() {
        request.push_str(r#","body":{"type":"json","json":"#);
        request.push_str(body);
        request.push('}');
    }
    request.push('}');
    match exchange(&request) {
        Ok(text) => read(&text),
        Err(code) => misuse(&format!("subako_http returned {}", code)),
    }
}

/// The two calls of the ABI. A negative return is a misuse of it.
fn exchange(request: &str) -> Result<String, i32> {
    let len = unsafe { host::request(request.as_ptr(), request.len() as i32) };
    if len < 0 {
        return Err(len);
    }
    let mut answer = vec![0u8; len as usize];
    let code = unsafe { host::read_response(answer.as_mut_ptr(), len) };
    if code < 0 {
        return Err(code);
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn misuse(message: &str) -> Answer {
    Answer::Error { kind: "abi".into(), message: message.into() }
}

fn read(text: &str) -> Answer {
    let answer = match json::parse(text) {
        Some(answer) => answer,
        None => return misuse("the answer is not JSON"),
    };
    let member = |name: &str, inner: &str| {
        let value = answer.get(name).and_then(|v| v.get(inner)).and_then(|v| v.text());
        value.unwrap_or_default().to_string()
    };
    if answer.get("error").is_some() {
        return Answer::Error { kind: member("error", "kind"), message: member("error", "message") };
    }
    let ok = match answer.get("ok") {
        Some(ok) => ok,
        None => return misuse("the answer is neither ok nor error"),
    };
    let status = ok.get("status").and_then(|v| v.raw.parse().ok()).unwrap_or(0);
    let body = ok.get("body").and_then(|b| b.get("text")).and_then(|t| t.text()).unwrap_or_default();
    Answer::Ok { status, body: body.to_string() }
}
