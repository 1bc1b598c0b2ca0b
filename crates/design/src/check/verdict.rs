//! The result of a check: nothing, or one message, composed without allocation so that a `const`
//! evaluation can do it.

use std::fmt;

use crate::rules::Rule;

/// The longest message. What goes beyond is cut.
const MESSAGE_BYTES_MAX: usize = 1024;

/// The sign at the end of a message that was cut.
const CUT: &str = "…";

/// The outcome of a check.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    message: Option<Message>,
}

impl Verdict {
    /// No rule is broken.
    pub(crate) const FINE: Self = Self { message: None };

    pub(crate) const fn broken(message: Message) -> Self {
        Self { message: Some(message) }
    }

    /// Returns whether no rule is broken.
    pub const fn is_fine(&self) -> bool {
        self.message.is_none()
    }

    /// Returns the rule that is broken.
    pub const fn rule(&self) -> Option<&'static Rule> {
        match &self.message {
            Some(message) => Some(message.rule),
            None => None,
        }
    }

    /// Returns the message about it, such as `[K01] …`.
    pub const fn text(&self) -> Option<&str> {
        match &self.message {
            Some(message) => Some(message.text()),
            None => None,
        }
    }

    /// Stops the program, or the compiler in a `const` evaluation, with the message.
    ///
    /// # Panics
    /// Panics if a rule is broken.
    #[track_caller]
    pub const fn assert(self) {
        let text = match self.text() {
            Some(text) => text,
            None => "",
        };
        assert!(self.is_fine(), "{}", text);
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text().unwrap_or("fine"))
    }
}

/// One message: `[code] what; why; fix`.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    rule: &'static Rule,
    bytes: [u8; MESSAGE_BYTES_MAX],
    length: usize,
    is_cut: bool,
}

impl Message {
    /// Begins the message about a broken rule.
    pub(crate) const fn new(rule: &'static Rule) -> Self {
        let message = Self { rule, bytes: [0; MESSAGE_BYTES_MAX], length: 0, is_cut: false };
        message.push("[").push(rule.code).push("] ")
    }

    /// Goes on with a text.
    pub(crate) const fn push(mut self, text: &str) -> Self {
        if self.is_cut {
            return self;
        }
        let text = text.as_bytes();
        let room = MESSAGE_BYTES_MAX - CUT.len() - self.length;
        let mut take = text.len();
        if take > room {
            take = room;
            // A character is never cut in two.
            while take > 0 && text[take] & 0xC0 == 0x80 {
                take -= 1;
            }
        }
        let mut at = 0;
        while at < take {
            self.bytes[self.length + at] = text[at];
            at += 1;
        }
        self.length += take;
        if take < text.len() {
            let cut = CUT.as_bytes();
            let mut at = 0;
            while at < cut.len() {
                self.bytes[self.length + at] = cut[at];
                at += 1;
            }
            self.length += cut.len();
            self.is_cut = true;
        }
        self
    }

    /// Goes on with the first character of a text.
    pub(crate) const fn push_first(self, text: &str) -> Self {
        let mut end = 1;
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let (first, _) = text.split_at(end);
        self.push(first)
    }

    /// Goes on with a number, with zeros in front up to `digits`.
    pub(crate) const fn push_number(self, number: usize, digits: u8) -> Self {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let mut divisor = 1;
        let mut width = 1;
        while number / divisor >= 10 || width < digits {
            divisor *= 10;
            width += 1;
        }
        let mut message = self;
        while divisor > 0 {
            message = message.push(DIGITS[number / divisor % 10]);
            divisor /= 10;
        }
        message
    }

    /// Ends with the reason and the fix of the rule.
    pub(crate) const fn end(self) -> Self {
        let rule = self.rule;
        self.end_with_fix(rule.fix)
    }

    /// Ends with the reason of the rule and a specific fix.
    pub(crate) const fn end_with_fix(self, fix: &str) -> Self {
        self.why().push(fix)
    }

    /// Ends with a specific reason and fix, where those of the rule do not apply.
    pub(crate) const fn end_with(self, why: &str, fix: &str) -> Self {
        self.push("; ").push(why).push("; ").push(fix)
    }

    /// Goes on with the reason of the rule; the fix comes next.
    pub(crate) const fn why(self) -> Self {
        let rule = self.rule;
        self.push("; ").push(rule.why).push("; ")
    }

    const fn text(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => self.rule.code,
        }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let mut message = Message::new(&rules::K01);
        for _ in 0..400 {
            message = message.push("größe ");
        }
        let verdict = Verdict::broken(message.end());
        let text = verdict.text().unwrap_or_default();
        assert!(text.len() <= MESSAGE_BYTES_MAX && text.len() > MESSAGE_BYTES_MAX - 8);
        assert!(text.ends_with(CUT) && text.starts_with("[K01] größe "));
    }

    #[test]
    fn numbers_are_padded_only_on_request() {
        let message = Message::new(&rules::K05).push_number(0, 1).push(" ").push_number(1024, 1);
        assert_eq!(message.push(" ").push_number(7, 3).text(), "[K05] 0 1024 007");
    }

    #[test]
    #[should_panic(expected = "[K05] too narrow")]
    fn an_assertion_shows_the_message() {
        Verdict::broken(Message::new(&rules::K05).push("too narrow")).assert();
    }
}
