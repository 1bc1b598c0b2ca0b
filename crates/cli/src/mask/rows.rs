//! The rows of a table, masked one by one, and the check that nothing personal is left in them.

use std::collections::HashSet;

use anyhow::{Result, bail};
use monotable::model::codec::{pack_value, unpack_value};
use monotable_types::{AttributeValue, Item};
use serde_json::Value;

use super::plan::{EACH, Path, Plan, RowKind};
use super::template::Part;
use super::text::{Mask, canonical, decoded};

/// Shorter values are too common to be searched for.
const KNOWN_CHARACTERS_MIN: usize = 3;
/// The maximum number of words of a value that is searched for in texts.
const WORDS_MAX: usize = 6;

/// The rows of a table, with their known personal values.
pub(crate) struct MaskedRows {
    plan: Plan,
    mask: Mask,
    /// The personal values of the table.
    originals: HashSet<String>,
    /// Attributes that may contain the text of a personal value by coincidence, such as
    /// `Team.name`.
    allowed: HashSet<String>,
}

impl MaskedRows {
    pub(super) fn new(plan: Plan, mask: Mask, allowed: &[String]) -> Self {
        let allowed = allowed.iter().cloned().collect();
        Self { plan, mask, originals: HashSet::new(), allowed }
    }

    /// Collects the personal values of a row.
    ///
    /// # Errors
    /// Fails if the design has no such kind of row.
    pub(crate) fn learn(&mut self, item: &Item) -> Result<()> {
        let kind = self.plan.kind(item)?;
        let (item, _) = unpacked(kind, item)?;
        let mut found = Vec::new();
        for path in &kind.paths {
            let Some(value) = item.get(&path.attribute) else { continue };
            match json_of(value).filter(|_| path.is_json) {
                Some(json) => each_member(&json, &path.members, &mut |value| {
                    json_texts(value, &mut found);
                }),
                None => texts(attribute_member(value, &path.members), &mut found),
            }
        }
        for (_, _, parts) in kind.key_parts(&item) {
            for part in parts.into_iter().flatten() {
                if let Part::Field(name, text) = part
                    && kind.fields.contains(name)
                {
                    found.push(decoded(text));
                }
            }
        }
        let known = found.into_iter().map(|text| canonical(&text));
        let known = known.filter(|text| text.chars().count() >= KNOWN_CHARACTERS_MIN);
        self.originals.extend(known);
        Ok(())
    }

    /// Returns a row without personal values; `None` if it is left out.
    ///
    /// # Errors
    /// Fails if a personal value would be left in it.
    pub(crate) fn masked(&self, item: &Item) -> Result<Option<Item>> {
        let kind = self.plan.kind(item)?;
        if kind.is_left_out {
            return Ok(None);
        }
        let (mut masked, was_packed) = unpacked(kind, item)?;
        if kind.is_opaque {
            masked.values_mut().for_each(|value| self.replace_known(value));
        }
        for path in &kind.paths {
            self.replace(path, &mut masked);
        }
        for (attribute, _, parts) in kind.key_parts(item) {
            if let Some(parts) = parts {
                masked.insert(attribute.to_owned(), self.key(kind, &parts).into());
            }
        }
        self.check(kind, &masked)?;
        if was_packed {
            pack_value(&mut masked)?;
        }
        Ok(Some(masked))
    }

    /// Builds a key from its parts.
    fn key(&self, kind: &RowKind, parts: &[Part<'_, '_>]) -> String {
        let text = parts.iter().map(|part| match part {
            Part::Literal(text) | Part::Shard(text) => (*text).to_owned(),
            Part::Field(name, text) => {
                let is_known =
                    kind.is_opaque && self.originals.contains(&canonical(&decoded(text)));
                let is_personal = kind.fields.contains(*name) || is_known;
                if is_personal { self.mask.key_text(text) } else { (*text).to_owned() }
            }
        });
        text.collect()
    }

    /// Replaces the value at a path, or leaves it out.
    fn replace(&self, path: &Path, item: &mut Item) {
        let Path { attribute, members, is_json, is_left_out } = path;
        if *is_left_out && members.is_empty() {
            item.remove(attribute);
            return;
        }
        let Some(value) = item.get_mut(attribute) else { return };
        if *is_json {
            let Some(mut json) = json_of(value) else { return };
            if let Some((last, outer)) = members.split_last() {
                each_member_mut(&mut json, outer, &mut |holder| {
                    if let Value::Object(holder) = holder
                        && let Some(found) = holder.remove(last)
                        && !is_left_out
                    {
                        holder.insert(last.clone(), self.mask.json(&found));
                    }
                });
            }
            *value = json.to_string().into();
            return;
        }
        let Some((last, outer)) = members.split_last() else {
            *value = self.mask.value(value);
            return;
        };
        let mut holder = value;
        for name in outer {
            let AttributeValue::M(map) = holder else { return };
            let Some(next) = map.get_mut(name) else { return };
            holder = next;
        }
        if let AttributeValue::M(map) = holder {
            map.remove(last);
        }
    }

    /// Replaces personal values wherever they are whole values, or parts of keys.
    fn replace_known(&self, value: &mut AttributeValue) {
        match value {
            AttributeValue::S(text) => match serde_json::from_str(text) {
                Ok(mut json @ (Value::Object(_) | Value::Array(_))) => {
                    self.replace_known_json(&mut json);
                    *text = json.to_string();
                }
                _ => *text = self.known_replaced(text),
            },
            AttributeValue::M(map) => map.values_mut().for_each(|it| self.replace_known(it)),
            AttributeValue::L(list) => list.iter_mut().for_each(|it| self.replace_known(it)),
            _ => {}
        }
    }

    fn replace_known_json(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.known_replaced(text),
            Value::Object(members) => {
                members.values_mut().for_each(|it| self.replace_known_json(it));
            }
            Value::Array(items) => items.iter_mut().for_each(|it| self.replace_known_json(it)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn known_replaced(&self, text: &str) -> String {
        if self.originals.contains(&canonical(text)) {
            return self.mask.text(text);
        }
        let parts = text.split('#').map(|part| {
            let is_known = self.originals.contains(&canonical(&decoded(part)));
            if is_known { self.mask.key_text(part) } else { part.to_owned() }
        });
        parts.collect::<Vec<_>>().join("#")
    }

    /// Checks that a row contains no personal value.
    ///
    /// # Errors
    /// Fails if it does; the error names the attribute and not the value.
    fn check(&self, kind: &RowKind, item: &Item) -> Result<()> {
        let keys = kind.key_parts(item);
        for (attribute, value) in item {
            let mut found = Vec::new();
            match keys.iter().find(|(key, _, parts)| key == attribute && parts.is_some()) {
                Some((_, _, parts)) => {
                    found.extend(parts.iter().flatten().filter_map(|part| match part {
                        Part::Field(_, text) => Some((*text).to_owned()),
                        Part::Literal(_) | Part::Shard(_) => None,
                    }))
                }
                None => match json_of(value) {
                    Some(json) => json_texts(&json, &mut found),
                    None => texts(Some(value), &mut found),
                },
            }
            let name = format!("{}.{attribute}", kind.name);
            if !self.allowed.contains(&name) && found.iter().any(|text| self.is_personal(text)) {
                bail!(
                    "{name} would keep a personal value; add --personal {name} to mask it, or --allow {name} \
                     if it only looks like one"
                );
            }
        }
        Ok(())
    }

    /// Returns whether a text is a personal value, contains one as a part of a key, or contains one
    /// that identifies somebody.
    fn is_personal(&self, text: &str) -> bool {
        if self.originals.contains(&canonical(text)) {
            return true;
        }
        if text.contains('#')
            && text.split('#').any(|part| self.originals.contains(&canonical(&decoded(part))))
        {
            return true;
        }
        let is_mark =
            |character: char| !character.is_alphanumeric() && !"@.+-_".contains(character);
        let words: Vec<&str> = text
            .split(char::is_whitespace)
            .map(|word| word.trim_matches(is_mark).trim_end_matches('.'))
            .filter(|word| !word.is_empty())
            .collect();
        (1..=WORDS_MAX.min(words.len())).any(|count| {
            words.windows(count).any(|window| {
                let known = canonical(&window.join(" "));
                let identifies =
                    count > 1 || known.contains(|it: char| it == '@' || it.is_ascii_digit());
                identifies && self.originals.contains(&known)
            })
        })
    }
}

/// Returns the JSON in a text attribute, if it is an object or a list.
fn json_of(value: &AttributeValue) -> Option<Value> {
    serde_json::from_str(value.as_s()?)
        .ok()
        .filter(|json| matches!(json, Value::Object(_) | Value::Array(_)))
}

/// Returns a row with its value as text, and whether it was compressed.
fn unpacked(kind: &RowKind, item: &Item) -> Result<(Item, bool)> {
    let mut item = item.clone();
    let was_packed = kind.is_value_row && unpack_value(&mut item)?;
    Ok((item, was_packed))
}

/// Calls a function with every value at a path.
fn each_member(value: &Value, names: &[String], call: &mut impl FnMut(&Value)) {
    match (names.split_first(), value) {
        (None, _) => call(value),
        (Some((name, rest)), Value::Array(items)) if name == EACH => {
            items.iter().for_each(|item| each_member(item, rest, call));
        }
        (Some((name, rest)), Value::Object(members)) if name == EACH => {
            members.values().for_each(|member| each_member(member, rest, call));
        }
        (Some((name, rest)), _) => {
            if let Some(member) = value.get(name) {
                each_member(member, rest, call);
            }
        }
    }
}

/// Calls a function with every value at a path, to change it.
fn each_member_mut(value: &mut Value, names: &[String], call: &mut impl FnMut(&mut Value)) {
    match (names.split_first(), value) {
        (None, value) => call(value),
        (Some((name, rest)), Value::Array(items)) if name == EACH => {
            items.iter_mut().for_each(|item| each_member_mut(item, rest, call));
        }
        (Some((name, rest)), Value::Object(members)) if name == EACH => {
            members.values_mut().for_each(|member| each_member_mut(member, rest, call));
        }
        (Some((name, rest)), value) => {
            if let Some(member) = value.get_mut(name) {
                each_member_mut(member, rest, call);
            }
        }
    }
}

fn attribute_member<'v>(value: &'v AttributeValue, names: &[String]) -> Option<&'v AttributeValue> {
    names.iter().try_fold(value, |value, name| match value {
        AttributeValue::M(map) => map.get(name),
        _ => None,
    })
}

fn json_texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Object(members) => members.values().for_each(|member| json_texts(member, found)),
        Value::Array(items) => items.iter().for_each(|item| json_texts(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn texts(value: Option<&AttributeValue>, found: &mut Vec<String>) {
    match value {
        Some(AttributeValue::S(text)) => found.push(text.clone()),
        Some(AttributeValue::M(map)) => map.values().for_each(|it| texts(Some(it), found)),
        Some(AttributeValue::L(list)) => list.iter().for_each(|it| texts(Some(it), found)),
        Some(AttributeValue::Ss(set)) => found.extend(set.iter().cloned()),
        _ => {}
    }
}
