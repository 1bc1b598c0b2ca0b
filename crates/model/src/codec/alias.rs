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
