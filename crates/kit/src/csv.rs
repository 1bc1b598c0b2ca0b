//! Tables for spreadsheets: RFC 4180, with no cell that a spreadsheet would interpret as a formula.

use std::borrow::Cow;

/// The media type.
pub const CONTENT_TYPE: &str = "text/csv; charset=utf-8; header=present";
/// The bytes at the beginning of a table, so that spreadsheets read it as UTF-8.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Appends a row to a table.
///
/// ```
/// let mut table = String::new();
/// monotable_kit::csv::row(&mut table, ["Smith, Jr.".into(), "=1+1".into()]);
/// assert_eq!(table, "\"Smith, Jr.\",'=1+1\r\n");
/// ```
pub fn row<'a>(table: &mut String, cells: impl IntoIterator<Item = Cow<'a, str>>) {
    for (position, text) in cells.into_iter().enumerate() {
        if position > 0 {
            table.push(',');
        }
        table.push_str(&cell(&text));
    }
    table.push_str("\r\n");
}

/// Returns a text as a cell: quoted if necessary, and with an apostrophe in front if a spreadsheet
/// would calculate it.
fn cell(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let needs_quotes = text.contains(['"', ',', '\r', '\n']) || text != text.trim();
    match (is_formula, needs_quotes) {
        (false, false) => Cow::Borrowed(text),
        (true, false) => Cow::Owned(format!("'{text}")),
        (is_formula, true) => {
            let apostrophe = if is_formula { "'" } else { "" };
            Cow::Owned(format!("\"{apostrophe}{}\"", text.replace('"', "\"\"")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_the_form_needs_it() {
        for (text, expected) in [
            ("O'Neil", "O'Neil"),
            ("Smith, Jr.", "\"Smith, Jr.\""),
            ("the \"Babe\"", "\"the \"\"Babe\"\"\""),
            ("two\r\nlines", "\"two\r\nlines\""),
            (" space", "\" space\""),
        ] {
            assert_eq!(cell(text), expected);
        }
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("+cmd", "'+cmd"),
            ("-2", "'-2"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""),
            ("\t=1", "\"'\t=1\""),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}
