//! `AttributeUpdates`, the predecessor of update expressions.

use std::collections::BTreeMap;
use std::str::FromStr;

use monotable_types::{AttributeValue, list};

use super::{LegacyError, UnknownOperator};
use crate::{ExpressionError, SetOperand, Update};

/// The action on an attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AttributeAction {
    /// Sets the attribute.
    #[default]
    Put,
    /// Adds to a number, a set or a list.
    Add,
    /// Removes the attribute, or elements of a set.
    Delete,
}

impl FromStr for AttributeAction {
    type Err = UnknownOperator;

    fn from_str(text: &str) -> Result<Self, UnknownOperator> {
        match text {
            "PUT" => Ok(Self::Put),
            "ADD" => Ok(Self::Add),
            "DELETE" => Ok(Self::Delete),
            _ => Err(UnknownOperator(text.to_owned())),
        }
    }
}

/// The update of one attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeUpdate {
    /// `Value`
    pub value: Option<AttributeValue>,
    /// `Action`; `PUT` by default.
    pub action: Option<AttributeAction>,
}

/// Translates `AttributeUpdates`. Errors of applying the update are worded for it by
/// [`UpdateError::into_legacy`](crate::UpdateError::into_legacy).
///
/// ```
/// use std::collections::BTreeMap;
/// use monotable_expression::Update;
/// use monotable_expression::legacy::{AttributeAction, AttributeUpdate, attribute_updates};
///
/// let update = |action, value| AttributeUpdate { action: Some(action), value };
/// let updates = BTreeMap::from([
///     ("name".into(), update(AttributeAction::Put, Some("Ada".into()))),
///     ("goals".into(), update(AttributeAction::Add, Some(1.into()))),
///     ("draft".into(), update(AttributeAction::Delete, None)),
/// ]);
/// assert_eq!(
///     attribute_updates(&updates)?,
///     Update::new().set("name", "Ada").add("goals", 1).remove("draft"),
/// );
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
pub fn attribute_updates(
    updates: &BTreeMap<String, AttributeUpdate>,
) -> Result<Update, ExpressionError> {
    let mut translated = Update::new();
    for (attribute, update) in updates {
        translated = update.translate(attribute, translated)?;
    }
    Ok(translated)
}

impl AttributeUpdate {
    fn translate(&self, attribute: &str, update: Update) -> Result<Update, LegacyError> {
        use AttributeValue::{Bs, L, N, Ns, Ss};
        let action = self.action.unwrap_or_default();
        let Some(value) = &self.value else {
            return match action {
                AttributeAction::Delete => Ok(update.remove(attribute)),
                _ => Err(LegacyError::ActionWithoutValue),
            };
        };
        match (action, value) {
            (AttributeAction::Put, value) => Ok(update.set(attribute, value.clone())),
            (AttributeAction::Add, N(_) | Ss(_) | Ns(_) | Bs(_)) => {
                Ok(update.add(attribute, value.clone()))
            }
            (AttributeAction::Add, L(_)) => {
                let before = SetOperand::if_not_exists(attribute, list![]);
                Ok(update.set(attribute, SetOperand::list_append(before, value.clone())))
            }
            (AttributeAction::Delete, Ss(_) | Ns(_) | Bs(_)) => {
                Ok(update.delete(attribute, value.clone()))
            }
            (AttributeAction::Add, other) => Err(LegacyError::AddType { value: other.type_name() }),
            (AttributeAction::Delete, other) => {
                Err(LegacyError::DeleteType { value: other.type_name() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Printer;
    use expect_test::{Expect, expect};
    use monotable_types::{item, map, set};

    fn check(action: &str, value: Option<AttributeValue>, expected: Expect) {
        let action = (!action.is_empty()).then(|| action.parse().unwrap());
        let updates = BTreeMap::from([("a".into(), AttributeUpdate { value, action })]);
        let text = match attribute_updates(&updates) {
            Ok(update) => Printer::new().update(&update),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn actions_become_sections() {
        check("", Some(1.into()), expect!["SET #n0 = :v0"]);
        check("PUT", Some(map! {}), expect!["SET #n0 = :v0"]);
        check("ADD", Some(1.into()), expect!["ADD #n0 :v0"]);
        check("ADD", Some(set!["a"].into()), expect!["ADD #n0 :v0"]);
        check(
            "ADD",
            Some(list![1]),
            expect!["SET #n0 = list_append(if_not_exists(#n0, :v0), :v1)"],
        );
        check("DELETE", None, expect!["REMOVE #n0"]);
        check("DELETE", Some(set![1].into()), expect!["DELETE #n0 :v0"]);
    }

    #[test]
    fn actions_refuse_values_they_cannot_use() {
        check(
            "",
            None,
            expect![
                "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"
            ],
        );
        check(
            "ADD",
            None,
            expect![
                "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"
            ],
        );
        check(
            "ADD",
            Some("x".into()),
            expect![
                "One or more parameter values were invalid: ADD action is not supported for the type S"
            ],
        );
        check(
            "ADD",
            Some(map! {}),
            expect![
                "One or more parameter values were invalid: ADD action is not supported for the type M"
            ],
        );
        check(
            "DELETE",
            Some(1.into()),
            expect![
                "One or more parameter values were invalid: DELETE action with value is not supported for the type N"
            ],
        );
        check(
            "DELETE",
            Some(list![]),
            expect![
                "One or more parameter values were invalid: DELETE action with value is not supported for the type L"
            ],
        );
    }

    #[test]
    fn add_of_a_list_appends_to_one_and_to_nothing_else() {
        let update = AttributeUpdate { action: Some(AttributeAction::Add), value: Some(list![2]) };
        let update = attribute_updates(&BTreeMap::from([("a".into(), update)])).unwrap();
        for (mut item, expected) in [
            (item! { "a" => list![1] }, Ok(item! { "a" => list![1, 2] })),
            (item! {}, Ok(item! { "a" => list![2] })),
            (item! { "a" => 1 }, Err("Type mismatch for attribute to update".to_owned())),
        ] {
            let outcome = update.apply(&mut item);
            let outcome = outcome.map_err(|error| error.into_legacy().to_string());
            assert_eq!(outcome.map(|()| item), expected);
        }
    }
}
