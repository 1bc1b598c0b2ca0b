//! Names that fields had before (`#[serde(alias = "…")]`): rows that still have them are read as if
//! they had the names of today, and lose them when they are rewritten.

use monotable_design::meta::EntityMeta;
use monotable_types::Item;

use super::merge::names;
use super::place::{Place, place};

/// Whether any field had another name before.
pub(crate) fn has_aliases(meta: &EntityMeta) -> bool {
    meta.fields.iter().any(|field| !field.aliases.is_empty())
}

/// The attributes in which old rows may have the field at a position.
pub(crate) fn aliases_of(meta: &EntityMeta, position: u16) -> &'static [&'static str] {
    let position = usize::from(position);
    match meta.fields.get(position).map(|field| (field, place(meta, position))) {
        Some((field, Place::Attribute(_))) => field.aliases,
        Some((_, Place::Json | Place::KeyOnly)) | None => &[],
    }
}

/// Gives the attributes of a row their names of today. Where a row has both, the old one gives way.
pub(super) fn rename_attributes(meta: &EntityMeta, row: &mut Item) {
    for (position, field) in meta.fields.iter().enumerate() {
        for alias in field.aliases {
            match place(meta, position) {
                Place::Json => {}
                Place::KeyOnly => {
                    row.remove(*alias);
                }
                Place::Attribute(attribute) => {
                    if let Some(value) = row.remove(*alias) {
                        row.entry(attribute.to_owned()).or_insert(value);
                    }
                }
            }
        }
    }
}

/// What becomes of the old names in a JSON object: the name of today, or nothing where the object has
/// that one too.
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
    fn attributes_get_their_names_of_today() {
        let mut row = item! { "body" => "b", "content" => "c", "state" => "s", "key" => "k" };
        rename_attributes(&entity(Codec::Plain, FIELDS), &mut row);
        assert_eq!(row, item! { "text" => "c", "status" => "s" });

        let mut row = item! { "text" => "t", "body" => "b" };
        rename_attributes(&entity(Codec::Plain, FIELDS), &mut row);
        assert_eq!(row, item! { "text" => "t" });
    }

    #[test]
    fn only_attributes_of_fields_are_renamed_beside_an_envelope() {
        let mut row = item! { "content" => "not ours", "state" => "s" };
        rename_attributes(&entity(Codec::Envelope { data: "data" }, FIELDS), &mut row);
        assert_eq!(row, item! { "content" => "not ours", "status" => "s" });
    }

    #[test]
    fn one_old_name_of_a_json_object_stands_for_the_name_of_today() {
        let meta = entity(Codec::Envelope { data: "data" }, FIELDS);
        let renamed = json_names(&meta, r#"{"body":1,"content":2,"other":3}"#);
        assert_eq!(renamed, [("content", Some("text")), ("body", None)]);
        assert_eq!(json_names(&meta, r#"{"text":1,"content":2}"#), [("content", None)]);
        assert_eq!(json_names(&meta, "no object"), []);
    }
}
