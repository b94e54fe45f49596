//! JSON as it stands in the text: each value knows its own bytes, so an id or a
//! large number goes out exactly as it came in. Nested deeper than `DEPTH` is
//! an error, so that hostile input cannot overflow the stack.

pub const DEPTH: usize = 200;

/// A value, and the text that it was read from.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    pub raw: &'a str,
    pub kind: Kind<'a>,
}

#[derive(Clone, Debug)]
pub enum Kind<'a> {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Value<'a>>),
    Object(Vec<(String, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// An object's member; of members with one name the last counts.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        match &self.kind {
            Kind::Object(members) => members.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(s) => Some(s),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Value<'a>]> {
        match &self.kind {
            Kind::List(values) => Some(values),
            _ => None,
        }
    }

    pub fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    /// Whether it is a number without a fraction or an exponent.
    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Kind::Number) && !self.raw.contains(|c| c == '.' || c == 'e' || c == 'E')
    }

    pub fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }
}

/// The one value that the text holds.
pub fn parse(text: &str) -> Option<Value<'_>> {
    let mut p = Parser { text, at: 0 };
    let value = p.value(0)?;
    p.space();
    if p.at == text.len() {
        Some(value)
    } else {
        None
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        if self.peek()? != byte {
            return None;
        }
        self.at += 1;
        Some(())
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value<'a>> {
        if depth > DEPTH {
            return None;
        }
        self.space();
        let from = self.at;
        let kind = match self.peek()? {
            b'{' => self.object(depth)?,
            b'[' => self.array(depth)?,
            b'"' => Kind::Text(self.string()?),
            b't' => self.word("true", Kind::Bool(true))?,
            b'f' => self.word("false", Kind::Bool(false))?,
            b'n' => self.word("null", Kind::Null)?,
            _ => self.number()?,
        };
        Some(Value { raw: &self.text[from..self.at], kind })
    }

    fn word(&mut self, word: &str, kind: Kind<'a>) -> Option<Kind<'a>> {
        if !self.text[self.at..].starts_with(word) {
            return None;
        }
        self.at += word.len();
        Some(kind)
    }

    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > from {
            Some(())
        } else {
            None
        }
    }

    fn number(&mut self) -> Option<Kind<'a>> {
        let _ = self.eat(b'-');
        if self.eat(b'0').is_none() {
            self.digits()?;
        }
        if self.eat(b'.').is_some() {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(Kind::Number)
    }

    fn array(&mut self, depth: usize) -> Option<Kind<'a>> {
        self.eat(b'[')?;
        let mut values = Vec::new();
        self.space();
        if self.eat(b']').is_some() {
            return Some(Kind::List(values));
        }
        loop {
            values.push(self.value(depth + 1)?);
            self.space();
            if self.eat(b']').is_some() {
                return Some(Kind::List(values));
            }
            self.eat(b',')?;
        }
    }

    fn object(&mut self, depth: usize) -> Option<Kind<'a>> {
        self.eat(b'{')?;
        let mut members = Vec::new();
        self.space();
        if self.eat(b'}').is_some() {
            return Some(Kind::Object(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            self.eat(b':')?;
            members.push((name, self.value(depth + 1)?));
            self.space();
            if self.eat(b'}').is_some() {
                return Some(Kind::Object(members));
            }
            self.eat(b',')?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.eat(b'"')?;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ')?;
            out.push_str(&rest[..plain]);
            self.at += plain;
            if self.eat(b'"').is_some() {
                return Some(out);
            }
            self.eat(b'\\')?; // a control byte is none
            out.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(match c {
            b'"' | b'\\' | b'/' => c as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return None,
        })
    }

    /// A \u escape; with its second half where it has one. A lone surrogate
    /// becomes U+FFFD.
    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            let back = self.at;
            self.at += 2;
            let second = self.hex()?;
            if (0xDC00..0xE000).contains(&second) {
                return char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
            }
            self.at = back;
        }
        Some(char::from_u32(first).unwrap_or('\u{FFFD}'))
    }

    fn hex(&mut self) -> Option<u32> {
        let mut code = 0;
        for _ in 0..4 {
            code = code << 4 | (self.peek()? as char).to_digit(16)?;
            self.at += 1;
        }
        Some(code)
    }
}

/// The text as a JSON string.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
