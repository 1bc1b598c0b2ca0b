//! Checks of items and keys against a table, with AWS's texts.

use monotable_expression::{Path, SetOperand, SetValue, Update};
use monotable_types::{
    AttributeValue, IndexName, Item, TableName, TypeName, item_size_bytes, limits,
};

use crate::error::{Error, Result};
use crate::op::request::Substitutions;
use crate::table::{Index, KeyAttribute, KeySpec, Table, table_name_of_arn};

const KEY_MISMATCH: &str = "The provided key element does not match the schema";
const EMPTY_NAME: &str = "Empty attribute name";
const NAME_TOO_LARGE: &str = "Attribute name is too large, must be less than 65536 bytes";
const NESTED_TOO_DEEP: &str = "Nesting Levels have exceeded supported limits: \
     Attributes in the item have nested levels beyond supported limit";

/// Checks the table name of a data operation: a name, or an ARN.
pub(crate) fn table_name(name: &str) -> Result<()> {
    if table_name_of_arn(name).is_some() {
        return Ok(());
    }
    TableName::check_reference(name).map_err(|error| Error::validation(error.to_string()))
}

/// Checks for empty names and values that are nested too deeply, in an item or a key.
pub(crate) fn attributes(item: &Item) -> Result<()> {
    names(item.keys())?;
    values(item.values())
}

/// Checks for names that are empty or too long.
fn names<'a>(names: impl IntoIterator<Item = &'a String>) -> Result<()> {
    match names.into_iter().find_map(|name| name_problem(name)) {
        Some(problem) => Err(Error::validation(problem)),
        None => Ok(()),
    }
}

fn name_problem(name: &str) -> Option<&'static str> {
    match name.len() {
        0 => Some(EMPTY_NAME),
        length if length > limits::ATTRIBUTE_NAME_BYTES_MAX => Some(NAME_TOO_LARGE),
        _ => None,
    }
}

/// Checks for values that are nested too deeply or contain an empty name.
fn values<'a>(values: impl IntoIterator<Item = &'a AttributeValue>) -> Result<()> {
    for value in values {
        if value.depth() > limits::NESTING_DEPTH_MAX {
            return Err(Error::validation(NESTED_TOO_DEEP));
        }
        if let Some(problem) = inner_name_problem(value) {
            return Err(Error::validation(problem));
        }
    }
    Ok(())
}

/// Returns the problem of a nested name. The depth was checked, so the recursion ends.
fn inner_name_problem(value: &AttributeValue) -> Option<&'static str> {
    match value {
        AttributeValue::M(map) => map
            .iter()
            .find_map(|(name, value)| name_problem(name).or_else(|| inner_name_problem(value))),
        AttributeValue::L(list) => list.iter().find_map(inner_name_problem),
        _ => None,
    }
}

/// Checks for empty expression names and expression values that are nested too deeply.
pub(crate) fn substitutions(substitutions: &Substitutions) -> Result<()> {
    names(substitutions.names.iter().flat_map(|names| names.values()))?;
    values(substitutions.values.iter().flat_map(|values| values.values()))
}

/// Does the same for an action of a transaction. A value may be one level deeper there than in an
/// item, which counts only when it is stored.
pub(crate) fn transacted_substitutions(substitutions: &Substitutions) -> Result<()> {
    names(substitutions.names.iter().flat_map(|names| names.values()))?;
    for (placeholder, value) in substitutions.values.iter().flatten() {
        if value.depth() > limits::TRANSACT_VALUE_DEPTH_MAX {
            return Err(Error::validation(format!(
                "ExpressionAttributeValues contains invalid value: {NESTED_TOO_DEEP} for key \
                 {placeholder}"
            )));
        }
        if let Some(problem) = inner_name_problem(value) {
            return Err(Error::validation(problem));
        }
    }
    Ok(())
}

/// Checks the index name of a Query or Scan.
pub(crate) fn index_name(name: Option<&str>) -> Result<()> {
    match name.map(IndexName::try_from) {
        Some(Err(error)) => Err(Error::validation(error.to_string())),
        _ => Ok(()),
    }
}

/// Checks an item to be put, without looking at its table, and returns its size.
pub(crate) fn item(item: &Item) -> Result<usize> {
    attributes(item)?;
    item_size(item)
}

/// Returns the size of an item to be put, or an error if it is too large.
pub(crate) fn item_size(item: &Item) -> Result<usize> {
    let size_bytes = item_size_bytes(item);
    if size_bytes > limits::ITEM_BYTES_MAX {
        return Err(Error::validation("Item size has exceeded the maximum allowed size"));
    }
    Ok(size_bytes)
}

/// Checks the size of an item after an update.
pub(crate) fn updated_size(size_bytes: usize) -> Result<()> {
    if size_bytes > limits::ITEM_BYTES_MAX {
        return Err(Error::validation("Item size to update has exceeded the maximum allowed size"));
    }
    Ok(())
}

/// Returns the row key of an item to be put.
pub(crate) fn item_key(table: &Table, item: &Item) -> Result<Vec<u8>> {
    for key in table.keys.attributes() {
        let Some(value) = item.get(&key.name) else {
            return Err(Error::validation(format!(
                "One or more parameter values were invalid: Missing the key {} in the item",
                key.name
            )));
        };
        if !key.kind.matches(value) {
            return Err(Error::validation(format!(
                "One or more parameter values were invalid: Type mismatch for key {} expected: {} \
                 actual: {}",
                key.name,
                key.kind,
                value.type_name()
            )));
        }
    }
    checked_row_key(table, item)
}

/// Returns the row key that a `Key` parameter names.
pub(crate) fn key(table: &Table, key: &Item) -> Result<Vec<u8>> {
    if key.len() != table.keys.attributes().count() {
        return Err(Error::validation(KEY_MISMATCH));
    }
    checked_row_key(table, key)
}

fn checked_row_key(table: &Table, key: &Item) -> Result<Vec<u8>> {
    let row_key = table.row_key(key).ok_or_else(|| Error::validation(KEY_MISMATCH))?;
    key_is_not_empty(&table.keys, key)?;
    // Encoding never shortens, so a short row key needs no further check.
    if row_key.len() > limits::SORT_KEY_BYTES_MAX {
        key_lengths(&table.keys, key)?;
    }
    Ok(row_key)
}

/// Checks for key values that are empty or too long.
pub(crate) fn key_contents(keys: &KeySpec, item: &Item) -> Result<()> {
    key_is_not_empty(keys, item)?;
    key_lengths(keys, item)
}

/// Checks for empty key values.
pub(crate) fn key_is_not_empty(keys: &KeySpec, item: &Item) -> Result<()> {
    for key in keys.attributes() {
        if let Some(word) = item.get(&key.name).and_then(empty_key_word) {
            return Err(Error::validation(format!(
                "One or more parameter values are not valid. The AttributeValue for a key attribute \
                 cannot contain an empty {word} value. Key: {}",
                key.name
            )));
        }
    }
    Ok(())
}

fn key_lengths(keys: &KeySpec, item: &Item) -> Result<()> {
    let bytes = |attributes: &[KeyAttribute]| -> usize {
        attributes.iter().filter_map(|key| item.get(&key.name)).map(key_bytes).sum()
    };
    if bytes(&keys.partition) > limits::PARTITION_KEY_BYTES_MAX {
        return Err(Error::validation(
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum \
             size limit of2048 bytes",
        ));
    }
    if bytes(&keys.sort) > limits::SORT_KEY_BYTES_MAX {
        return Err(Error::validation(
            "One or more parameter values were invalid: Aggregated size of all range keys has \
             exceeded the size limit of 1024 bytes",
        ));
    }
    Ok(())
}

fn key_bytes(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::B(bytes) => bytes.len(),
        _ => 0,
    }
}

fn empty_key_word(value: &AttributeValue) -> Option<&'static str> {
    match value {
        AttributeValue::S(text) if text.is_empty() => Some("string"),
        AttributeValue::B(bytes) if bytes.is_empty() => Some("binary"),
        _ => None,
    }
}

/// Checks for index key attributes of an item to be put that have the right type, but are empty.
pub(crate) fn index_key_is_not_empty(table: &Table, item: &Item) -> Result<()> {
    for index in &table.indexes {
        for key in index.keys.attributes() {
            let value = item.get(&key.name).filter(|value| key.kind.matches(value));
            if let Some(word) = value.and_then(empty_key_word) {
                return Err(empty_index_key(key, index, word));
            }
        }
    }
    Ok(())
}

fn empty_index_key(key: &KeyAttribute, index: &Index, word: &str) -> Error {
    Error::validation(format!(
        "One or more parameter values are not valid. A value specified for a secondary index key is \
         not supported. The AttributeValue for a key attribute cannot contain an empty {word} value. \
         IndexName: {}, IndexKey: {}",
        index.name, key.name
    ))
}

/// Checks the index key attributes of an item to be put: absent is valid, another type or an empty
/// value is not.
pub(crate) fn index_keys(table: &Table, item: &Item) -> Result<()> {
    for index in &table.indexes {
        let mut bytes = 0;
        for key in index.keys.attributes() {
            let Some(value) = item.get(&key.name) else {
                continue;
            };
            if !key.kind.matches(value) {
                return Err(index_key_type(key, value.type_name(), index));
            }
            if let Some(word) = empty_key_word(value) {
                return Err(empty_index_key(key, index, word));
            }
            bytes += key_bytes(value);
        }
        // The sort key's limit is the smaller one.
        if bytes > limits::SORT_KEY_BYTES_MAX {
            key_lengths(&index.keys, item)?;
        }
    }
    Ok(())
}

fn index_key_type(key: &KeyAttribute, actual: TypeName, index: &Index) -> Error {
    Error::validation(format!(
        "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} \
         Actual: {actual} IndexName: {}",
        key.name, key.kind, index.name
    ))
}

/// Checks for index key attributes that an update sets to an empty value of the right type.
pub(crate) fn update_sets_no_empty_index_key(table: &Table, update: &Update) -> Result<()> {
    for (path, value) in &update.set {
        let SetValue::Operand(SetOperand::Value(value)) = value else {
            continue;
        };
        let mut keys = table.indexes.iter().flat_map(|index| index.keys.attributes());
        let is_set = |key: &&KeyAttribute| path.is_attribute() && key.name == path.root;
        let is_key = keys.find(is_set).is_some_and(|key| key.kind.matches(value));
        if let Some(word) = empty_key_word(value).filter(|_| is_key) {
            return Err(empty_updated_index_key(word));
        }
    }
    Ok(())
}

fn empty_updated_index_key(word: &str) -> Error {
    Error::validation(format!(
        "One or more parameter values are not valid. The update expression attempted to update a \
         secondary index key to a value that is not supported. The AttributeValue for a key \
         attribute cannot contain an empty {word} value."
    ))
}

/// Checks the index key attributes that an update has changed.
pub(crate) fn updated_index_keys(table: &Table, item: &Item, update: &Update) -> Result<()> {
    let is_changed = |key: &KeyAttribute| update.paths().any(|path| path.root == key.name);
    for index in table.indexes.iter().filter(|index| index.keys.attributes().any(is_changed)) {
        for key in index.keys.attributes().filter(|key| is_changed(key)) {
            let Some(value) = item.get(&key.name) else {
                continue;
            };
            if !key.kind.matches(value) {
                return Err(Error::validation(
                    "The update expression attempted to update the secondary index key to \
                     unsupported type",
                ));
            }
            if let Some(word) = empty_key_word(value) {
                return Err(empty_updated_index_key(word));
            }
        }
        key_lengths(&index.keys, item)?;
    }
    Ok(())
}

/// Checks that an update does not change the table's key, and gives index keys their type.
pub(crate) fn update_targets(table: &Table, update: &Update) -> Result<()> {
    if let Some(path) = update.paths().find(|path| table.keys.contains(&path.root)) {
        return Err(Error::validation(format!(
            "One or more parameter values were invalid: Cannot update attribute {}. This attribute \
             is part of the key",
            path.root
        )));
    }
    let set = update.set.iter().map(|(path, value)| (path, known_type(value)));
    let add = update.add.iter().map(|(path, value)| (path, Some(value.type_name())));
    for (path, actual) in set.chain(add).filter(|(path, _)| path.is_attribute()) {
        let Some(actual) = actual else {
            continue;
        };
        for index in &table.indexes {
            let of_index = index.keys.attributes().find(|key| key.name == path.root);
            if let Some(key) = of_index.filter(|key| key.kind.as_str() != actual.as_str()) {
                return Err(index_key_type(key, actual, index));
            }
        }
    }
    let mut outcome = Ok(());
    update.for_each_path(&mut |path| {
        if outcome.is_ok() {
            outcome = scalar_paths(table, [path]);
        }
    });
    outcome
}

/// Returns the type that an attribute is set to, if it is known without the item.
fn known_type(value: &SetValue) -> Option<TypeName> {
    match value {
        SetValue::Operand(SetOperand::Value(value)) => Some(value.type_name()),
        SetValue::Operand(SetOperand::ListAppend(..)) => Some(TypeName::L),
        SetValue::Operand(SetOperand::Path(_) | SetOperand::IfNotExists(..)) => None,
        SetValue::Plus(..) | SetValue::Minus(..) => Some(TypeName::N),
    }
}

/// Checks that no path leads into key attributes, which are scalars.
pub(crate) fn scalar_paths<'a>(
    table: &Table,
    paths: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    for path in paths.into_iter().filter(|path| !path.is_attribute()) {
        let word = if table.keys.contains(&path.root) {
            "Key"
        } else if table.indexes.iter().any(|index| index.keys.contains(&path.root)) {
            "IndexKey"
        } else {
            continue;
        };
        return Err(Error::validation(format!(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not \
             allowed: {word}: {}",
            path.root
        )));
    }
    Ok(())
}
