//! Parameters that several operations share, from AWS's words to the engine's types.

use monotable_engine::{
    Consistency, ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnOnConditionFailure,
    Select, table_name_of_arn,
};
use monotable_types::{Constraints, TableName};

use crate::error::{Failure, Result};
use crate::layer::Layer;

/// A word of a list of words, each with what it means; unknown ones are noted.
pub(crate) fn choose<T: Copy>(
    constraints: &mut Constraints,
    path: &str,
    word: Option<&str>,
    choices: &[(&str, T)],
) -> Option<T> {
    let word = word?;
    let found = choices.iter().find(|(name, _)| *name == word).map(|(_, choice)| *choice);
    if found.is_none() {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        constraints.one_of(word, path, &names);
    }
    found
}

/// The same where AWS's current layer looks at the word: it says neither the word nor the member, and
/// has a list of its own.
pub(crate) fn choose_unnamed<T: Copy>(
    constraints: &mut Constraints,
    word: Option<&str>,
    choices: &[(&str, T)],
    listed: &str,
) -> Option<T> {
    let word = word?;
    let found = choices.iter().find(|(name, _)| *name == word).map(|(_, choice)| *choice);
    if found.is_none() {
        constraints.broken(format!(
            "Failed to satisfy constraint: Member must satisfy enum value set: {listed}"
        ));
    }
    found
}

/// `ReturnConsumedCapacity`
pub(crate) fn return_consumed_capacity(
    constraints: &mut Constraints,
    word: Option<&str>,
) -> ReturnConsumedCapacity {
    const CHOICES: &[(&str, ReturnConsumedCapacity)] = &[
        ("INDEXES", ReturnConsumedCapacity::Indexes),
        ("TOTAL", ReturnConsumedCapacity::Total),
        ("NONE", ReturnConsumedCapacity::None),
    ];
    choose(constraints, "returnConsumedCapacity", word, CHOICES).unwrap_or_default()
}

/// `ReturnItemCollectionMetrics`
pub(crate) fn return_item_collection_metrics(
    constraints: &mut Constraints,
    word: Option<&str>,
) -> ReturnItemCollectionMetrics {
    const CHOICES: &[(&str, ReturnItemCollectionMetrics)] =
        &[("SIZE", ReturnItemCollectionMetrics::Size), ("NONE", ReturnItemCollectionMetrics::None)];
    choose(constraints, "returnItemCollectionMetrics", word, CHOICES).unwrap_or_default()
}

/// `ReturnValuesOnConditionCheckFailure`; transactions have it deeper in the request.
pub(crate) fn return_on_condition_failure(
    constraints: &mut Constraints,
    path: &str,
    word: Option<&str>,
) -> ReturnOnConditionFailure {
    const CHOICES: &[(&str, ReturnOnConditionFailure)] =
        &[("ALL_OLD", ReturnOnConditionFailure::AllOld), ("NONE", ReturnOnConditionFailure::None)];
    choose(constraints, path, word, CHOICES).unwrap_or_default()
}

/// `Select`
pub(crate) fn select(constraints: &mut Constraints, word: Option<&str>) -> Option<Select> {
    const CHOICES: &[(&str, Select)] = &[
        ("SPECIFIC_ATTRIBUTES", Select::SpecificAttributes),
        ("COUNT", Select::Count),
        ("ALL_ATTRIBUTES", Select::AllAttributes),
        ("ALL_PROJECTED_ATTRIBUTES", Select::AllProjectedAttributes),
    ];
    choose(constraints, "select", word, CHOICES)
}

/// `ConsistentRead`
pub(crate) fn consistency(strong: Option<bool>) -> Consistency {
    match strong {
        Some(true) => Consistency::Strong,
        Some(false) | None => Consistency::Eventual,
    }
}

/// The table of a data operation: a name or an ARN. AWS reports a wrong one alone where
/// the operation says so, and in the list of what is wrong everywhere else.
pub(crate) fn table_name(constraints: &mut Constraints, path: &str, name: Option<&str>) {
    match name {
        None => constraints.null(path),
        Some(name) if table_name_of_arn(name).is_some() => {}
        Some(name) => constraints.name(TableName::check_reference(name), path),
    }
}

/// The table of a write of one item. The current layer reports a wrong name alone, the older one in
/// its list of what is wrong.
pub(crate) fn table_name_of_write(
    constraints: &mut Constraints,
    name: Option<&str>,
    layer: Layer,
) -> Result<()> {
    const PATH: &str = "tableName";
    match (layer, name) {
        (Layer::Current, Some("")) => Err(Failure::validation(
            "1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member \
             must have length greater than or equal to 1",
        )),
        (Layer::Current, _) | (Layer::Older, None) => {
            let mut alone = Constraints::default();
            table_name(&mut alone, PATH, name);
            finish(alone)
        }
        (Layer::Older, Some(_)) => {
            table_name(constraints, PATH, name);
            Ok(())
        }
    }
}

/// `Limit` of a list: 1 to `max`.
pub(crate) fn page_limit(
    constraints: &mut Constraints,
    limit: Option<i32>,
    max: usize,
) -> Option<u32> {
    page_size(constraints, "limit", limit, max)
}

/// The same where it has another name.
pub(crate) fn page_size(
    constraints: &mut Constraints,
    path: &str,
    size: Option<i32>,
    max: usize,
) -> Option<u32> {
    let size = size?;
    constraints.check(size >= 1, size, path, "have value greater than or equal to 1");
    let most = format!("have value less than or equal to {max}");
    constraints.check(usize::try_from(size).unwrap_or_default() <= max, size, path, &most);
    u32::try_from(size).ok()
}

/// The ARN of something other than a table, which must be there.
pub(crate) fn required_arn(arn: Option<String>, path: &str) -> Result<String> {
    /// Lengths of ARNs on AWS.
    const LENGTH: std::ops::RangeInclusive<usize> = 37..=1024;
    let mut constraints = Constraints::default();
    match &arn {
        None => constraints.null(path),
        Some(arn) => constraints.text(arn, path, LENGTH),
    }
    finish(constraints)?;
    Ok(arn.unwrap_or_default())
}

/// Ends a list of broken constraints.
pub(crate) fn finish(constraints: Constraints) -> Result<()> {
    constraints.finish().map_err(|broken| Failure::validation(broken.to_string()))
}

/// Parameters that are given, for AWS's message about old and new ones in one request.
pub(crate) struct Mixing<'a> {
    /// Those from before there were expressions, with whether they are given.
    pub(crate) legacy: &'a [(&'static str, bool)],
    /// Expressions, with whether they are given.
    pub(crate) expressions: &'a [(&'static str, bool)],
}

impl Mixing<'_> {
    /// Old and new parameters do not go together.
    pub(crate) fn check(&self) -> Result<()> {
        let given = |parameters: &[(&'static str, bool)]| -> Vec<&'static str> {
            parameters.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect()
        };
        let (legacy, expressions) = (given(self.legacy), given(self.expressions));
        if legacy.is_empty() || expressions.is_empty() {
            return Ok(());
        }
        Err(Failure::validation(format!(
            "Can not use both expression and non-expression parameters in the same request: \
             Non-expression parameters: {{{}}} Expression parameters: {{{}}}",
            legacy.join(", "),
            expressions.join(", ")
        )))
    }
}
