//! AWS's rules for key schemas and indexes, for CreateTable and UpdateTable.

use std::collections::BTreeSet;

use monotable_types::{
    AttributeDefinition, Constraints, IndexName, KeySchemaElement, KeyType, Projection, limits,
};

use super::IndexDefinition;
use crate::error::{Error, Result};
use crate::op::constraints::invalid;
use crate::table::{
    BillingMode, CapacitySettings, OnDemandThroughput, ProvisionedThroughput, UNLIMITED,
    WarmThroughput,
};

/// AWS's bound for provisioned capacity.
const CAPACITY_UNITS_MAX: u64 = 1_000_000_000_000;
/// The lengths of attribute names in keys and projections.
const ATTRIBUTE_NAME_LENGTH: std::ops::RangeInclusive<usize> =
    1..=limits::KEY_ATTRIBUTE_NAME_BYTES_MAX;

/// Collects the bounds of capacity as constraints.
pub(crate) fn constrain_throughput(
    constraints: &mut Constraints,
    throughput: Option<ProvisionedThroughput>,
    path: &str,
) {
    if let Some(throughput) = throughput {
        let members = [
            ("writeCapacityUnits", throughput.write_capacity_units),
            ("readCapacityUnits", throughput.read_capacity_units),
        ];
        for (member, units) in members {
            constraints.number(units, &format!("{path}.{member}"), 1..=u64::MAX);
        }
    }
}

/// Checks the capacity bounds above which AWS assumes a mistake; `of_index` names the index, if it
/// is for one.
pub(crate) fn check_throughput_bounds(
    throughput: ProvisionedThroughput,
    of_index: Option<&str>,
) -> Result<()> {
    let members = [
        ("ReadCapacityUnits", throughput.read_capacity_units),
        ("WriteCapacityUnits", throughput.write_capacity_units),
    ];
    match members.into_iter().find(|(_, units)| *units > CAPACITY_UNITS_MAX) {
        None => Ok(()),
        Some((member, units)) => {
            let place = of_index.map(|index| format!(" for index {index}")).unwrap_or_default();
            let text = format!("Given value {units} for {member} is out of bounds{place}");
            Err(Error::validation(text))
        }
    }
}

/// Collects the number and names of a key schema's attributes as constraints.
pub(crate) fn constrain_key_schema(
    constraints: &mut Constraints,
    schema: &[KeySchemaElement],
    path: &str,
    attributes_max: usize,
) {
    let print = |element: &KeySchemaElement| {
        let KeySchemaElement { attribute_name, key_type } = element;
        format!("KeySchemaElement(attributeName={attribute_name}, keyType={key_type})")
    };
    let elements: Vec<String> = schema.iter().map(print).collect();
    // AWS names only the member when there are too many, whichever key it belongs to.
    let path_of_length = if schema.is_empty() { path } else { "keySchema" };
    let printed = format!("[{}]", elements.join(", "));
    constraints.length(schema.len(), printed, path_of_length, 1..=attributes_max);
    for (at, element) in schema.iter().enumerate() {
        let path = format!("{path}.{}.member.attributeName", at + 1);
        constraints.text(&element.attribute_name, &path, ATTRIBUTE_NAME_LENGTH);
    }
}

/// Collects the names of defined attributes as constraints.
pub(crate) fn constrain_definitions(
    constraints: &mut Constraints,
    definitions: &[AttributeDefinition],
) {
    for (at, definition) in definitions.iter().enumerate() {
        let path = format!("attributeDefinitions.{}.member.attributeName", at + 1);
        constraints.text(&definition.name, &path, ATTRIBUTE_NAME_LENGTH);
    }
}

/// Collects name, keys, projection and capacity of an index as constraints.
pub(crate) fn constrain_index(
    constraints: &mut Constraints,
    index: &IndexDefinition,
    path: &str,
    key_attributes_max: usize,
) {
    if let Projection::Include(names) = &index.projection {
        let path = format!("{path}.projection.nonKeyAttributes");
        let printed = format!("[{}]", names.join(", "));
        // An empty list counts as no list, which the rules of projections refuse.
        let length = names.len().max(1);
        let allowed = 1..=limits::PROJECTION_NON_KEY_ATTRIBUTES_MAX;
        constraints.length(length, &printed, &path, allowed);
        let named = |name: &String| ATTRIBUTE_NAME_LENGTH.contains(&name.chars().count());
        constraints.check(
            names.iter().all(named),
            &printed,
            &path,
            "satisfy constraint: [Member must have length less than or equal to 255, Member must \
             have length greater than or equal to 1]",
        );
    }
    constrain_index_name(constraints, &index.index_name, path);
    let path_of_throughput = format!("{path}.provisionedThroughput");
    constrain_throughput(constraints, index.provisioned_throughput, &path_of_throughput);
    let path_of_keys = format!("{path}.keySchema");
    constrain_key_schema(constraints, &index.key_schema, &path_of_keys, key_attributes_max);
}

/// Collects the name of an index as a constraint.
pub(crate) fn constrain_index_name(constraints: &mut Constraints, name: &str, path: &str) {
    constraints.name(IndexName::try_from(name), &format!("{path}.indexName"));
}

/// Checks that every key attribute has a type.
pub(crate) fn check_defined(
    schema: &[KeySchemaElement],
    definitions: &[AttributeDefinition],
) -> Result<()> {
    let defined: Vec<&str> = definitions.iter().map(|known| known.name.as_str()).collect();
    let keys: Vec<&str> = schema.iter().map(|element| element.attribute_name.as_str()).collect();
    if keys.iter().all(|key| defined.contains(key)) {
        Ok(())
    } else {
        Err(invalid(format!(
            "Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], \
             AttributeDefinitions: [{}]",
            keys.join(", "),
            defined.join(", ")
        )))
    }
}

/// Checks the key of a table or a local index: one partition attribute, at most one sort attribute.
pub(crate) fn check_plain_keys(schema: &[KeySchemaElement]) -> Result<()> {
    if let [first, second, ..] = schema
        && first.attribute_name == second.attribute_name
    {
        return Err(same_name());
    }
    if schema.first().is_none_or(|first| first.key_type != KeyType::Hash) {
        return Err(first_is_not_hash());
    }
    if schema.get(1).is_some_and(|second| second.key_type != KeyType::Range) {
        return Err(Error::validation(
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
        ));
    }
    Ok(())
}

/// Checks the key of a global index: up to four partition attributes, then up to four sort
/// attributes.
pub(crate) fn check_global_keys(schema: &[KeySchemaElement]) -> Result<()> {
    for key_type in [KeyType::Hash, KeyType::Range] {
        let count = schema.iter().filter(|element| element.key_type == key_type).count();
        if count > limits::INDEX_KEY_ATTRIBUTES_MAX {
            return Err(invalid(format!(
                "The KeySchema exceeds the maximum allowed number of {key_type} key attributes"
            )));
        }
    }
    let names: BTreeSet<&str> =
        schema.iter().map(|element| element.attribute_name.as_str()).collect();
    if names.len() < schema.len() {
        return Err(match schema {
            [first, second] if first.key_type != second.key_type => same_name(),
            _ => Error::validation(
                "The KeySchema contains multiple key attributes with the same name",
            ),
        });
    }
    if !schema.is_sorted_by_key(|element| element.key_type) {
        return Err(invalid(
            "All HASH key attributes must precede RANGE key attributes in the KeySchema",
        ));
    }
    match schema.first() {
        Some(first) if first.key_type == KeyType::Hash => Ok(()),
        _ => Err(first_is_not_hash()),
    }
}

fn same_name() -> Error {
    Error::validation(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name",
    )
}

fn first_is_not_hash() -> Error {
    Error::validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
}

/// Checks that a projection by name has names, each once.
pub(crate) fn check_projection(projection: &Projection) -> Result<()> {
    let Projection::Include(names) = projection else {
        return Ok(());
    };
    if names.is_empty() {
        return Err(invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified"));
    }
    let repeated = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
    match repeated {
        Some((_, name)) => Err(invalid(format!("Duplicate element in NonKeyAttributes: {name}"))),
        None => Ok(()),
    }
}

/// Checks the number of attributes that the indexes of a table project by name, counted once for
/// each index.
pub(crate) fn check_projected_count<'a>(
    projections: impl Iterator<Item = &'a Projection>,
) -> Result<()> {
    let count: usize = projections
        .map(|projection| match projection {
            Projection::Include(names) => names.len(),
            Projection::All | Projection::KeysOnly => 0,
        })
        .sum();
    // AWS documents the limit, but not its message.
    if count > limits::PROJECTED_ATTRIBUTES_MAX {
        Err(invalid(format!(
            "Number of projected attributes exceeds per-table limit of {}",
            limits::PROJECTED_ATTRIBUTES_MAX
        )))
    } else {
        Ok(())
    }
}

/// Checks that a global index has its own capacity exactly if its table has.
pub(crate) fn check_index_billing(index: &IndexDefinition, billing: BillingMode) -> Result<()> {
    let name = &index.index_name;
    check_new_capacity(
        index.on_demand_throughput,
        index.warm_throughput,
        (billing, index.provisioned_throughput),
        Some(name),
    )?;
    match (billing, index.provisioned_throughput) {
        (BillingMode::Provisioned, None) => {
            Err(invalid(format!("ProvisionedThroughput is not specified for index: {name}")))
        }
        (BillingMode::PayPerRequest, Some(_)) => Err(invalid(format!(
            "ProvisionedThroughput should not be specified for index: {name} when BillingMode is \
             PAY_PER_REQUEST"
        ))),
        (BillingMode::Provisioned, Some(throughput)) => {
            check_throughput_bounds(throughput, Some(name))
        }
        (BillingMode::PayPerRequest, None) => Ok(()),
    }
}

/// Checks the capacity settings of a new table or index.
pub(crate) fn check_new_capacity(
    on_demand: Option<OnDemandThroughput>,
    warm: Option<WarmThroughput>,
    (billing, provisioned): (BillingMode, Option<ProvisionedThroughput>),
    index: Option<&str>,
) -> Result<()> {
    check_on_demand(on_demand, billing, index)?;
    let settings = CapacitySettings::default();
    check_warm(warm, settings.warm_units(billing, provisioned.unwrap_or_default()), index)
}

/// Checks limits on demand: they need a table on demand, and each is a number of units, or -1 for
/// none.
pub(crate) fn check_on_demand(
    requested: Option<OnDemandThroughput>,
    billing: BillingMode,
    index: Option<&str>,
) -> Result<()> {
    let Some(requested) = requested else {
        return Ok(());
    };
    let of_index = index.map(|name| format!(" for index: {name}")).unwrap_or_default();
    let asks_for_limits = OnDemandThroughput::default().changed_by(requested) != Default::default();
    if billing == BillingMode::Provisioned && asks_for_limits {
        return Err(invalid(format!(
            "OnDemandThroughput should not be specified{of_index} when BillingMode is PROVISIONED"
        )));
    }
    for (name, units) in [
        ("MaxReadRequestUnits", requested.max_read_request_units),
        ("MaxWriteRequestUnits", requested.max_write_request_units),
    ] {
        if units.is_some_and(|units| units < 1 && units != UNLIMITED) {
            return Err(invalid(format!(
                "{name} of OnDemandThroughput{of_index} must be at least 1, or -1 for no limit"
            )));
        }
    }
    Ok(())
}

/// Checks that warm throughput only grows.
pub(crate) fn check_warm(
    requested: Option<WarmThroughput>,
    current: ProvisionedThroughput,
    index: Option<&str>,
) -> Result<()> {
    let Some(requested) = requested else {
        return Ok(());
    };
    let whose = index.map_or_else(|| "the table".to_owned(), |name| format!("index {name}"));
    for (name, asked, least) in [
        ("ReadUnitsPerSecond", requested.read_units_per_second, current.read_capacity_units),
        ("WriteUnitsPerSecond", requested.write_units_per_second, current.write_capacity_units),
    ] {
        if asked.is_some_and(|asked| asked < least) {
            return Err(invalid(format!(
                "{name} of WarmThroughput can't be lower than the current value of {whose}: {least}"
            )));
        }
    }
    Ok(())
}
