//! Texts of documentation as HTML: everything is escaped, and text between backticks is code.

use std::fmt::{self, Write as _};

/// Returns a text as HTML whose parts between backticks are code.
pub(super) fn marked(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    // A single last backtick is shown as it is.
    let mut rest = text;
    while let Some((before, code, after)) = rest
        .split_once('`')
        .and_then(|(before, rest)| rest.split_once('`').map(|(code, after)| (before, code, after)))
    {
        // Writing to a text does not fail.
        let _ = write!(html, "{}<code>{}</code>", Escaped(before), Escaped(code));
        rest = after;
    }
    let _ = write!(html, "{}", Escaped(rest));
    html
}

/// A text as HTML shows it.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => formatter.write_str("&amp;")?,
                '<' => formatter.write_str("&lt;")?,
                '>' => formatter.write_str("&gt;")?,
                '"' => formatter.write_str("&quot;")?,
                '\'' => formatter.write_str("&#39;")?,
                character => formatter.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_backticks_become_html() {
        let text = "<script>alert(\"a\" & 'b')</script>";
        let shown = "&lt;script&gt;alert(&quot;a&quot; &amp; &#39;b&#39;)&lt;/script&gt;";
        assert_eq!(marked(text), shown);
        assert_eq!(marked("a `<b>` c `d"), "a <code>&lt;b&gt;</code> c `d");
    }
}
