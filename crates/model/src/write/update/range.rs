//! The ranges of counters: a sum outside the range of its field could not be decoded.

use monotable_design::meta::{EntityMeta, FieldMeta};
use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::{Item, Number};

use crate::error::Error;
use crate::write::plan::Failure;

/// The limit that keeps the result of an addition in its range.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    entity: &'static EntityMeta,
    field: &'static FieldMeta,
    attribute: &'static str,
    by: i64,
    /// The ends of the range.
    lowest: i128,
    highest: i128,
}

impl Limit {
    /// Returns the limit of an addition to the field in an attribute.
    pub(super) fn new(
        entity: &'static EntityMeta,
        field: &'static FieldMeta,
        attribute: &'static str,
        by: i64,
    ) -> Option<Self> {
        let (lowest, highest) = range(field.rust_type)?;
        (by != 0).then_some(Self { entity, field, attribute, by, lowest, highest })
    }

    /// Returns the condition on the row. A row without the attribute counts from 0.
    pub(super) fn condition(&self) -> Condition {
        let Self { attribute, lowest, highest, .. } = *self;
        let by = i128::from(self.by);
        let within = match by {
            1.. => path(attribute).le(number(highest - by)),
            _ => path(attribute).ge(number(lowest - by)),
        };
        if (lowest..=highest).contains(&by) {
            within.or(attribute_not_exists(attribute))
        } else {
            within
        }
    }

    /// Returns the error of a row whose counter would leave its range.
    pub(super) fn refusal(&self, row: &Item) -> Option<Error> {
        let Self { entity, field, .. } = self;
        (!self.condition().evaluate(row)).then(|| Error::LimitReached {
            what: format!("`{}` of {} ({})", field.name, entity.name, field.rust_type),
            retry_after_seconds: None,
        })
    }
}

/// Returns the failure of an update with limits: that of `failure`, unless a limit is the reason.
/// An update that `creates` its row also has limits if there is no row.
pub(super) fn limited(limits: Vec<Limit>, creates: bool, failure: Failure) -> Failure {
    if limits.is_empty() {
        return failure;
    }
    Box::new(move |row| {
        let nothing = Item::new();
        let seen = row.as_deref().unwrap_or(&nothing);
        let refusal = limits.iter().find_map(|limit| limit.refusal(seen));
        match (failure(row), refusal) {
            (Error::VersionConflict { .. }, Some(refusal)) => refusal,
            (Error::NotFound { .. }, Some(refusal)) if creates => refusal,
            (error, _) => error,
        }
    })
}

/// Returns the range of an integer type.
fn range(rust_type: &str) -> Option<(i128, i128)> {
    let name = rust_type.rsplit("::").next().unwrap_or(rust_type);
    Some(match name {
        "u8" => (0, i128::from(u8::MAX)),
        "u16" => (0, i128::from(u16::MAX)),
        "u32" => (0, i128::from(u32::MAX)),
        "u64" | "usize" => (0, i128::from(u64::MAX)),
        "i8" => (i128::from(i8::MIN), i128::from(i8::MAX)),
        "i16" => (i128::from(i16::MIN), i128::from(i16::MAX)),
        "i32" => (i128::from(i32::MIN), i128::from(i32::MAX)),
        "i64" | "isize" => (i128::from(i64::MIN), i128::from(i64::MAX)),
        _ => return None,
    })
}

/// Returns a number between the lowest `i64` and the highest `u64`, which every difference of a
/// range's end and an `i64` is.
fn number(value: i128) -> Number {
    match u64::try_from(value) {
        Ok(value) => value.into(),
        Err(_) => i64::try_from(value).unwrap_or(i64::MIN).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn every_type_that_a_counter_may_have_has_a_range() {
        for name in ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"] {
            let (lowest, highest) = range(name).unwrap();
            assert!(lowest <= 0 && highest > 0, "{name}");
            assert_eq!(range(&format!("core::primitive::{name}")), Some((lowest, highest)));
        }
        assert_eq!(range("u8"), Some((0, 255)));
        assert_eq!(range("i8"), Some((-128, 127)));
        assert_eq!(range("Score"), None);
    }
}
