//! The operation of an access pattern, in DynamoDB's terms.

use crate::ir::{Design, IndexKind, Operation, Pattern, PresenceTest, Shape, SortTest};

/// Returns the operation of a pattern: ``Query GSI4: `GSI4PK = "USER#{user_id}"` ``.
pub(super) fn text(design: &Design, pattern: &Pattern) -> String {
    let name = match pattern.operation {
        Operation::Get => "GetItem",
        Operation::Query => "Query",
        Operation::BatchGet => "BatchGetItem",
        Operation::Scan => "Scan",
    };
    let mut text = name.to_owned();
    if let Some(index) = &pattern.index {
        text.push(' ');
        text.push_str(index);
    }
    let conditions = match &pattern.unique {
        Some(constraint) => guard(design, pattern, constraint),
        None => conditions(design, pattern),
    };
    if !conditions.is_empty() {
        text.push_str(&format!(" `{}`", conditions.join(" AND ")));
    }
    if pattern.unique.is_some() {
        text.push_str(", then its owner");
    }
    for mark in marks(pattern) {
        text.push_str(", ");
        text.push_str(&mark);
    }
    text
}

/// Returns the key of the row that keeps a unique value.
fn guard(design: &Design, pattern: &Pattern, constraint: &str) -> Vec<String> {
    let entities = design.entities.iter().filter(|entity| pattern.returns.contains(&entity.name));
    let mut guards = entities.flat_map(|entity| &entity.unique);
    let Some(unique) = guards.find(|unique| unique.name == constraint) else { return Vec::new() };
    let sort = design.sort_key.iter().map(|name| format!("{name} = \"{}\"", unique.sort));
    std::iter::once(format!("{} = \"{}\"", design.partition_key, unique.partition))
        .chain(sort)
        .collect()
}

/// Returns the conditions on the key attributes.
fn conditions(design: &Design, pattern: &Pattern) -> Vec<String> {
    let index = pattern.index.as_ref();
    let index = index.and_then(|name| design.indexes.iter().find(|index| index.name == *name));
    let (partition, sort) = match index {
        Some(index) if index.kind == IndexKind::Local => {
            (vec![design.partition_key.clone()], index.sort.clone())
        }
        Some(index) => (index.partition.clone(), index.sort.clone()),
        None => (vec![design.partition_key.clone()], design.sort_key.iter().cloned().collect()),
    };
    let equalities = partition.iter().zip(&pattern.partition);
    let mut conditions: Vec<_> =
        equalities.map(|(name, template)| format!("{name} = \"{template}\"")).collect();
    conditions
        .extend(sort.iter().zip(&pattern.sort).map(|(name, test)| sort_condition(name, test)));
    conditions
}

/// Returns a condition on one attribute. `…` stands for all that begins so.
fn sort_condition(name: &str, test: &SortTest) -> String {
    match test {
        SortTest::Equals(key) => format!("{name} = \"{key}\""),
        SortTest::BeginsWith(key) => format!("begins_with({name}, \"{key}\")"),
        SortTest::Between(from, to) => format!("{name} BETWEEN \"{from}\" AND \"{to}…\""),
        SortTest::From(key) => format!("{name} >= \"{key}\""),
        SortTest::UpTo(key) => format!("{name} <= \"{key}…\""),
        SortTest::After(key) => format!("{name} > \"{key}\""),
        SortTest::Before(key) => format!("{name} < \"{key}\""),
    }
}

/// Returns how it reads, as far as that is special.
fn marks(pattern: &Pattern) -> Vec<String> {
    let mut marks = Vec::new();
    for argument in &pattern.arguments {
        if let Some(attribute) = &argument.filter {
            marks.push(format!("filtered by `{attribute}`"));
        }
    }
    marks.extend(pattern.presence.iter().map(|test| match test {
        PresenceTest::Exists(attribute) => format!("only with `{attribute}`"),
        PresenceTest::Absent(attribute) => format!("only without `{attribute}`"),
    }));
    if pattern.is_descending {
        marks.push("backwards".to_owned());
    }
    if pattern.is_consistent {
        marks.push("consistent".to_owned());
    }
    if let Some(shards) = pattern.shards {
        marks.push(format!("over {shards} shards"));
    }
    if let Some(limit) = pattern.limit {
        marks.push(format!("limit {limit}"));
    }
    if let Some(items_max) = pattern.items_max {
        marks.push(format!("at most {items_max} rows"));
    }
    if let Some(requests) = pattern.requests_per_second {
        marks.push(format!("{requests} a second"));
    }
    if pattern.is_admin {
        marks.push("for administrators".to_owned());
    }
    marks
}

/// Returns what a pattern returns: `pages of Team, Player`.
pub(super) fn returns(pattern: &Pattern) -> String {
    let entities = pattern.returns.join(", ");
    match (pattern.shape, pattern.operation) {
        (_, Operation::BatchGet) => format!("{entities} for each key"),
        (Shape::One, _) => format!("one {entities}"),
        (Shape::Rows, _) => format!("pages of {entities}"),
        (Shape::All, _) => format!("all {entities}"),
        (Shape::Fold, _) => format!("one value from all {entities}"),
    }
}
