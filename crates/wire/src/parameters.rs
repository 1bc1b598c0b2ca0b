//! Parameters that several operations share, from AWS's values to the engine's types.

use monotable_engine::{
    Consistency, ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnOnConditionFailure,
    Select, table_name_of_arn,
};
use monotable_types::{Constraints, TableName};

use crate::error::{Failure, Result};
use crate::layer::Layer;

/// Returns the meaning of a value from a list of values, and notes an unknown one.
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

/// Does the same where AWS's current layer checks the value: its message contains neither the value
/// nor the member, and lists the allowed values in an order of its own.
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

/// Parses `ReturnConsumedCapacity`.
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

/// Parses `ReturnItemCollectionMetrics`.
pub(crate) fn return_item_collection_metrics(
    constraints: &mut Constraints,
    word: Option<&str>,
) -> ReturnItemCollectionMetrics {
    const CHOICES: &[(&str, ReturnItemCollectionMetrics)] =
        &[("SIZE", ReturnItemCollectionMetrics::Size), ("NONE", ReturnItemCollectionMetrics::None)];
    choose(constraints, "returnItemCollectionMetrics", word, CHOICES).unwrap_or_default()
}

/// Parses `ReturnValuesOnConditionCheckFailure`, which transactions have deeper in the request.
pub(crate) fn return_on_condition_failure(
    constraints: &mut Constraints,
    path: &str,
    word: Option<&str>,
) -> ReturnOnConditionFailure {
    const CHOICES: &[(&str, ReturnOnConditionFailure)] =
        &[("ALL_OLD", ReturnOnConditionFailure::AllOld), ("NONE", ReturnOnConditionFailure::None)];
    choose(constraints, path, word, CHOICES).unwrap_or_default()
}

/// Parses `Select`.
pub(crate) fn select(constraints: &mut Constraints, word: Option<&str>) -> Option<Select> {
    const CHOICES: &[(&str, Select)] = &[
        ("SPECIFIC_ATTRIBUTES", Select::SpecificAttributes),
        ("COUNT", Select::Count),
        ("ALL_ATTRIBUTES", Select::AllAttributes),
        ("ALL_PROJECTED_ATTRIBUTES", Select::AllProjectedAttributes),
    ];
    choose(constraints, "select", word, CHOICES)
}

/// Converts `ConsistentRead`.
pub(crate) fn consistency(strong: Option<bool>) -> Consistency {
    match strong {
        Some(true) => Consistency::Strong,
        Some(false) | None => Consistency::Eventual,
    }
}

/// Checks the table of a data operation: a name or an ARN. Some operations of AWS report a wrong
/// one alone, all others in the list of errors.
pub(crate) fn table_name(constraints: &mut Constraints, path: &str, name: Option<&str>) {
    match name {
        None => constraints.null(path),
        Some(name) if table_name_of_arn(name).is_some() => {}
        Some(name) => constraints.name(TableName::check_reference(name), path),
    }
}

/// Checks the table of a write of one item. The current layer reports a wrong name alone, the older
/// one in the list of errors.
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

/// Checks `Limit` of a list: 1 to `max`.
pub(crate) fn page_limit(
    constraints: &mut Constraints,
    limit: Option<i32>,
    max: usize,
) -> Option<u32> {
    page_size(constraints, "limit", limit, max)
}

/// Does the same under another name.
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

/// Returns the ARN of something other than a table.
///
/// # Errors
///
/// The ARN is missing or has the wrong length.
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

/// Returns the noted constraints as a failure, if there are any.
pub(crate) fn finish(constraints: Constraints) -> Result<()> {
    constraints.finish().map_err(|broken| Failure::validation(broken.to_string()))
}

/// Legacy parameters and expressions in one request, for AWS's message about mixing them.
pub(crate) struct Mixing<'a> {
    /// Legacy parameters, with whether the request contains them.
    pub(crate) legacy: &'a [(&'static str, bool)],
    /// Expressions, with whether the request contains them.
    pub(crate) expressions: &'a [(&'static str, bool)],
}

impl Mixing<'_> {
    /// Refuses legacy parameters together with expressions.
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
