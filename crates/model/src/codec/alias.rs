//! Previous names of fields (`#[serde(alias = "…")]`): rows with such names are read as if they had
//! the current ones, which they get when they are rewritten.

use monotable_design::meta::EntityMeta;
use monotable_types::Item;

use super::location::{FieldLocation, location};
use super::merge::names;

/// Returns whether any field has a previous name.
pub(crate) fn has_aliases(meta: &EntityMeta) -> bool {
    meta.fields.iter().any(|field| !field.aliases.is_empty())
}

/// Returns the previous attribute names of the field at a position.
pub(crate) fn aliases_of(meta: &EntityMeta, position: u16) -> &'static [&'static str] {
    let position = usize::from(position);
    match meta.fields.get(position).map(|field| (field, location(meta, position))) {
        Some((field, FieldLocation::Attribute(_))) => field.aliases,
        Some((_, FieldLocation::Json | FieldLocation::KeyOnly)) | None => &[],
    }
}

/// Renames previous attribute names of a row to the current ones. If a row has both, the previous
/// one is dropped.
pub(super) fn rename_attributes(meta: &EntityMeta, row: &mut Item) {
    for (position, field) in meta.fields.iter().enumerate() {
        for alias in field.aliases {
            match location(meta, position) {
                FieldLocation::Json => {}
                FieldLocation::KeyOnly => {
                    row.remove(*alias);
                }
                FieldLocation::Attribute(attribute) => {
                    if let Some(value) = row.remove(*alias) {
                        row.entry(attribute.to_owned()).or_insert(value);
                    }
                }
            }
        }
    }
}

/// Returns the replacement of previous names in a JSON object: the current name, or `None` if the
/// object has that one too.
pub(super) fn json_names(
    meta: &EntityMeta,
    json: &str,
) -> Vec<(&'static str, Option<&'static str>)> {
    if !has_aliases(meta) {
        return Vec::new();
    }
    let names = names(json);
    let is_there = |name: &str| names.iter().any(|known| known == name);
    let mut renamed = Vec::new();
    for field in meta.fields {
        let mut is_known = is_there(field.attribute);
        for alias in field.aliases.iter().filter(|alias| is_there(alias)) {
            renamed.push((*alias, (!is_known).then_some(field.attribute)));
            is_known = true;
        }
    }
    renamed
}

#[cfg(test)]
mod tests {
    use monotable_design::meta::{Codec, FieldMeta};
    use monotable_types::item;

    use super::*;
    use crate::codec::fixture::{Field, entity};

    const FIELDS: &[FieldMeta] = &[
        Field::new("text").formerly(&["content", "body"]).meta(),
        Field::new("status").formerly(&["state"]).top_level().meta(),
        Field::new("id").formerly(&["key"]).key_only().meta(),
    ];

    #[test]
    fn attributes_get_their_current_names() {
        let mut row = item! { "body" => "b", "content" => "c", "state" => "s", "key" => "k" };
        rename_attributes(&entity(Codec::Plain, FIELDS), &mut row);
        assert_eq!(row, item! { "text" => "c", "status" => "s" });

        let mut row = item! { "text" => "t", "body" => "b" };
        rename_attributes(&entity(Codec::Plain, FIELDS), &mut row);
        assert_eq!(row, item! { "text" => "t" });
    }

    #[test]
    fn only_attributes_of_fields_are_renamed_next_to_an_envelope() {
        let mut row = item! { "content" => "not ours", "state" => "s" };
        rename_attributes(&entity(Codec::Envelope { data: "data" }, FIELDS), &mut row);
        assert_eq!(row, item! { "content" => "not ours", "status" => "s" });
    }

    #[test]
    fn a_previous_name_in_a_json_object_is_read_as_the_current_one() {
        let meta = entity(Codec::Envelope { data: "data" }, FIELDS);
        let renamed = json_names(&meta, r#"{"body":1,"content":2,"other":3}"#);
        assert_eq!(renamed, [("content", Some("text")), ("body", None)]);
        assert_eq!(json_names(&meta, r#"{"text":1,"content":2}"#), [("content", None)]);
        assert_eq!(json_names(&meta, "no object"), []);
    }
}
