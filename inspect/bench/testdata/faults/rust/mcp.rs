//! What the servers in this folder share and have right. A server greets: its
//! one tool is greet, which takes a name.

#![allow(dead_code)]

use std::io::{self, BufRead, Write};

pub const DISCOVER: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}"#;
pub const SCHEMA: &str = r#"{"type":"object","properties":{"name":{"type":"string"},"count":{"type":"integer"}},"required":["name"]}"#;

/// The answer to tools/list, with one tool that has these schemas.
pub fn tools(input: &str, more: &str) -> String {
    format!(
        r#"{{"resultType":"complete","tools":[{{"name":"greet","description":"Greet someone by name.","inputSchema":{}{}}}],"ttlMs":0,"cacheScope":"public"}}"#,
        input, more
    )
}

/// The JSON text of the first member with this name. It knows the requests of
/// one host, and no JSON beyond them.
pub fn member<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let key = format!("\"{}\":", name);
    let rest = &line[line.find(&key)? + key.len()..];
    let (mut depth, mut text, mut escaped) = (0, false, false);
    for (i, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if text => escaped = true,
            '"' => text = !text,
            _ if text => {}
            '{' | '[' => depth += 1,
            '}' | ']' if depth > 0 => depth -= 1,
            ',' | '}' | ']' if depth == 0 => return Some(&rest[..i]),
            _ => {}
        }
    }
    Some(rest.trim_end())
}

pub fn text<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    member(line, name)?.strip_prefix('"')?.strip_suffix('"')
}

pub fn number(line: &str, name: &str) -> Option<i64> {
    member(line, name)?.parse().ok()
}

pub fn answer(id: &str, result: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, r#"{{"jsonrpc":"2.0","id":{},"result":{}}}"#, id, result).unwrap();
    out.flush().unwrap();
}

/// The result of a call: one block of text, and more members.
pub fn said(text: &str, more: &str) -> String {
    format!(r#"{{"resultType":"complete","content":[{{"type":"text","text":"{}"}}]{}}}"#, text, more)
}

/// Answers what is no call, and reports whether it was that.
pub fn answered(id: &str, method: &str) -> bool {
    match method {
        "server/discover" => answer(id, DISCOVER),
        "tools/list" => answer(id, &tools(SCHEMA, "")),
        _ => return false,
    }
    true
}

/// Answers each line as it comes, until stdin ends.
pub fn serve(call: impl Fn(&str, &str)) {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let (id, method) = match (member(&line, "id"), text(&line, "method")) {
            (Some(id), Some(method)) => (id, method),
            _ => continue,
        };
        if !answered(id, method) {
            call(id, member(&line, "arguments").unwrap_or("{}"));
        }
    }
}
