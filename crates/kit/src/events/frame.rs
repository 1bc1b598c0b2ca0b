//! Events in the text format of `text/event-stream`.

use bytes::Bytes;

/// A comment that keeps idle connections open through proxies.
pub(super) const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\n\n");
/// Sent instead of events that were not read in time.
pub(super) const MISSED: Bytes = Bytes::from_static(b"event: missed\ndata: {}\n\n");

/// The last event of a stream whose token or session has expired.
pub(super) const SIGNED_OUT: Bytes =
    Bytes::from_static(b"event: signed-out\ndata: {\"reason\":\"You are signed out.\"}\n\n");

/// Returns an event. Its data may have several lines, each of which has its own `data:`.
pub(super) fn event(id: u64, name: &str, data: &str) -> Bytes {
    // A name with a line break would start another field.
    let name: String = name.chars().filter(|character| !matches!(character, '\r' | '\n')).collect();
    let mut text = format!("id: {id}\nevent: {name}\n");
    for line in lines(data) {
        text.push_str("data: ");
        text.push_str(line);
        text.push('\n');
    }
    text.push('\n');
    Bytes::from(text)
}

/// Splits a text into lines, which end with CR LF, CR or LF.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(name: &str, data: &str, expected: Expect) {
        let frame = event(7, name, data);
        expected.assert_eq(std::str::from_utf8(&frame).unwrap());
    }

    #[test]
    fn an_event_has_an_id_a_name_and_its_data() {
        check(
            "score",
            r#"{"us":3}"#,
            expect![[r#"
                id: 7
                event: score
                data: {"us":3}

            "#]],
        );
    }

    #[test]
    fn every_line_of_the_data_is_data() {
        check(
            "note\nid: 8",
            "one\ntwo\r\nthree\rfour\n",
            expect![[r#"
                id: 7
                event: noteid: 8
                data: one
                data: two
                data: three
                data: four
                data: 

            "#]],
        );
        check(
            "empty",
            "",
            expect![[r#"
                id: 7
                event: empty
                data: 

            "#]],
        );
    }
}
