//! The grammar of `ProjectionExpression`: paths, separated by commas.

use super::cursor::{Cursor, Parsed};
use super::lexer::TokenKind;
use super::overlap::note_overlaps;
use super::problem::PROJECTION;
use crate::{ExpressionError, ExpressionKind, Placeholders, Projection};

/// Parses a `ProjectionExpression`.
///
/// ```
/// use monotable_expression::{Placeholders, parse_projection};
///
/// let projection = parse_projection("PK, team.players[0]", &mut Placeholders::default())?;
/// assert_eq!(projection.paths[1].to_string(), "team.players[0]");
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
pub fn parse_projection(
    text: &str,
    placeholders: &mut Placeholders<'_>,
) -> Result<Projection, ExpressionError> {
    let kind = ExpressionKind::Projection;
    let mut cursor = Cursor::new(kind, text, placeholders, &[], PROJECTION)?;
    let projection = cursor.projection()?;
    let paths: Vec<_> = projection.paths.iter().collect();
    note_overlaps(&mut cursor, &paths);
    cursor.finish()?;
    Ok(projection)
}

impl Cursor<'_, '_, '_> {
    fn projection(&mut self) -> Parsed<Projection> {
        let mut paths = vec![self.path()?];
        while self.take(TokenKind::Comma) {
            paths.push(self.path()?);
        }
        if self.at(TokenKind::End) { Ok(Projection { paths }) } else { Err(self.syntax_error()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::fixture::Request;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let request = Request::default();
        let outcome = match parse_projection(text, &mut request.placeholders()) {
            Err(error) => error.to_string(),
            Ok(projection) => {
                let paths: Vec<_> = projection.paths.iter().map(ToString::to_string).collect();
                paths.join(" | ")
            }
        };
        expected.assert_eq(&outcome);
    }

    #[test]
    fn paths_are_separated_by_commas() {
        check("a", expect!["a"]);
        check(" a ,b.c[3] . d\n[0], #n.#n ", expect!["a | b.c[3].d[0] | name.name"]);
    }

    #[test]
    fn syntax_errors_show_the_tokens_around() {
        check("", expect!["Invalid ProjectionExpression: The expression can not be empty;"]);
        check(
            "!!! INVALID !!!",
            expect![[r#"Invalid ProjectionExpression: Syntax error; token: "!", near: "!!""#]],
        );
        check(
            "a,",
            expect![[r#"Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ",""#]],
        );
        check(
            "user-id",
            expect![[r#"Invalid ProjectionExpression: Syntax error; token: "-", near: "user-id""#]],
        );
        check(
            "l[a]",
            expect![[r#"Invalid ProjectionExpression: Syntax error; token: "a", near: "[a]""#]],
        );
        check(
            "#n[].#n",
            expect![[r#"Invalid ProjectionExpression: Syntax error; token: "]", near: "[].""#]],
        );
        check(
            "a b",
            expect![[r#"Invalid ProjectionExpression: Syntax error; token: "b", near: "a b""#]],
        );
        check(
            "a, __b",
            expect![[r#"Invalid ProjectionExpression: Syntax error; token: "_", near: ", __""#]],
        );
        check(
            ":v",
            expect![[r#"Invalid ProjectionExpression: Syntax error; token: ":v", near: ":v""#]],
        );
        check(
            "  ",
            expect![[r#"Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: """#]],
        );
    }

    #[test]
    fn reserved_words_need_a_placeholder_at_every_step() {
        check(
            "a, name",
            expect![
                "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: name"
            ],
        );
        check(
            "#n[0].COMMENT",
            expect![
                "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: COMMENT"
            ],
        );
    }

    #[test]
    fn paths_may_not_overlap_or_conflict() {
        check(
            "b, b.c",
            expect![
                "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [b], path two: [b, c]"
            ],
        );
        check(
            "b[1].c, a, b[1]",
            expect![
                "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [b, [1], c], path two: [b, [1]]"
            ],
        );
        check(
            "b.c, b[0]",
            expect![
                "Invalid ProjectionExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [b, c], path two: [b, [0]]"
            ],
        );
        check("a.b, a.c, b[1], b[2]", expect!["a.b | a.c | b[1] | b[2]"]);
    }

    #[test]
    fn limits_hold_for_text_indexes_and_path_elements() {
        let long = "a".repeat(4097);
        check(
            &long,
            expect![
                "Invalid ProjectionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"
            ],
        );
        check("a[2147483647]", expect!["a[2147483647]"]);
        check(
            "a[2147483648]",
            expect![
                "Invalid ProjectionExpression: List index is not within the allowable range; index: [2147483648]"
            ],
        );
        check(
            "a[99999999999999999999999]",
            expect![
                "Invalid ProjectionExpression: List index is not within the allowable range; index: [99999999999999999999999]"
            ],
        );
        let deep = format!("a{}", ".b".repeat(32));
        check(
            &deep,
            expect![
                "Invalid ProjectionExpression: The document path has too many nesting elements; nesting levels: 33"
            ],
        );
    }
}
