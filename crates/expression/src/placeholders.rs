//! The `#name` and `:value` placeholders of one request.
//!
//! All expressions of a request share one value of this type, because a placeholder is unused only if
//! none of them uses it.

use std::collections::BTreeMap;

use monotable_types::AttributeValue;

use crate::ExpressionError;

const NAMES: &str = "ExpressionAttributeNames";
const VALUES: &str = "ExpressionAttributeValues";

/// `ExpressionAttributeNames` and `ExpressionAttributeValues`, with a record of the used ones.
///
/// ```
/// use std::collections::BTreeMap;
/// use monotable_expression::{ExpressionKind, Placeholders, parse_condition, path};
///
/// let values = BTreeMap::from([(":min".into(), 18.into()), (":max".into(), 30.into())]);
/// let mut placeholders = Placeholders::new(None, Some(&values));
/// let parsed = parse_condition("age >= :min", ExpressionKind::Filter, &mut placeholders)?;
/// assert_eq!(parsed, path("age").ge(18));
/// assert_eq!(
///     placeholders.finish().unwrap_err().to_string(),
///     "Value provided in ExpressionAttributeValues unused in expressions: keys: {:max}"
/// );
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Placeholders<'a> {
    names: Option<&'a BTreeMap<String, String>>,
    values: Option<&'a BTreeMap<String, AttributeValue>>,
    used_names: Vec<&'a str>,
    used_values: Vec<&'a str>,
    keys_checked: bool,
}

impl<'a> Placeholders<'a> {
    /// Returns the placeholders of a request, `None` where the request has no such parameter.
    pub fn new(
        names: Option<&'a BTreeMap<String, String>>,
        values: Option<&'a BTreeMap<String, AttributeValue>>,
    ) -> Self {
        Self { names, values, ..Self::default() }
    }

    /// Refuses empty maps and keys that are not placeholders. AWS does so before it parses any
    /// expression; the parse functions do the same, so this call is only needed for an even earlier
    /// check.
    pub fn check_keys(&mut self) -> Result<(), ExpressionError> {
        if self.keys_checked {
            return Ok(());
        }
        if let Some(names) = self.names {
            check_keys(NAMES, '#', names)?;
        }
        if let Some(values) = self.values {
            check_keys(VALUES, ':', values)?;
        }
        self.keys_checked = true;
        Ok(())
    }

    /// Refuses placeholders that no expression used. Call it after the last expression is parsed.
    pub fn finish(mut self) -> Result<(), ExpressionError> {
        self.check_keys()?;
        if let Some(names) = self.names {
            check_used(NAMES, names, &self.used_names)?;
        }
        if let Some(values) = self.values {
            check_used(VALUES, values, &self.used_values)?;
        }
        Ok(())
    }

    /// Returns the attribute name of `#name`, which counts as used from now on.
    pub(crate) fn name(&mut self, placeholder: &str) -> Option<&'a str> {
        let (key, name) = self.names?.get_key_value(placeholder)?;
        mark(&mut self.used_names, key);
        Some(name)
    }

    /// Returns the value of `:value`, and marks it as used.
    pub(crate) fn value(&mut self, placeholder: &str) -> Option<&'a AttributeValue> {
        let (key, value) = self.values?.get_key_value(placeholder)?;
        mark(&mut self.used_values, key);
        Some(value)
    }
}

fn mark<'a>(used: &mut Vec<&'a str>, key: &'a str) {
    if !used.contains(&key) {
        used.push(key);
    }
}

fn check_keys<V>(
    parameter: &'static str,
    sigil: char,
    map: &BTreeMap<String, V>,
) -> Result<(), ExpressionError> {
    if map.is_empty() {
        return Err(ExpressionError::PlaceholdersEmpty { parameter });
    }
    let is_placeholder = |key: &str| {
        key.strip_prefix(sigil).is_some_and(|name| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
    };
    match map.keys().find(|key| !is_placeholder(key)) {
        None => Ok(()),
        Some(key) => Err(ExpressionError::PlaceholderSyntax { parameter, key: key.clone() }),
    }
}

fn check_used<V>(
    parameter: &'static str,
    map: &BTreeMap<String, V>,
    used: &[&str],
) -> Result<(), ExpressionError> {
    if used.len() == map.len() {
        return Ok(());
    }
    let unused = map.keys().filter(|key| !used.contains(&key.as_str()));
    Err(ExpressionError::PlaceholdersUnused { parameter, keys: unused.cloned().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExpressionKind, parse_condition, parse_projection};
    use expect_test::{Expect, expect};

    fn check(names: &[&str], values: &[&str], expected: Expect) {
        let names = names.iter().map(|key| ((*key).into(), "x".into())).collect();
        let values = values.iter().map(|key| ((*key).into(), 1.into())).collect();
        let mut placeholders = Placeholders::new(Some(&names), Some(&values));
        let mut run = || {
            parse_condition("#a = :a", ExpressionKind::Filter, &mut placeholders)?;
            parse_projection("#p, q", &mut placeholders)
        };
        let outcome = match run() {
            Ok(_) => placeholders.finish().map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let text = outcome.map_or_else(|error| error, |()| "all used".into());
        expected.assert_eq(&text);
    }

    #[test]
    fn placeholders_count_as_used_in_any_expression_of_the_request() {
        check(&["#a", "#p"], &[":a"], expect!["all used"]);
    }

    #[test]
    fn unused_placeholders_are_listed_names_first() {
        check(
            &["#a", "#c", "#b", "#p"],
            &[":a", ":z"],
            expect![
                "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}"
            ],
        );
        check(
            &["#a", "#p"],
            &[":a", ":z"],
            expect![
                "Value provided in ExpressionAttributeValues unused in expressions: keys: {:z}"
            ],
        );
    }

    #[test]
    fn keys_are_checked_before_any_expression() {
        check(
            &["#a", "p"],
            &[":a"],
            expect![[r#"ExpressionAttributeNames contains invalid key: Syntax error; key: "p""#]],
        );
        check(
            &["#a"],
            &[":"],
            expect![[r#"ExpressionAttributeValues contains invalid key: Syntax error; key: ":""#]],
        );
        check(&["#a"], &[], expect!["ExpressionAttributeValues must not be empty"]);
        check(&[], &[":a"], expect!["ExpressionAttributeNames must not be empty"]);
    }

    #[test]
    fn undefined_placeholders_are_named() {
        check(
            &["#a"],
            &[":a"],
            expect![
                "Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #p"
            ],
        );
    }
}
