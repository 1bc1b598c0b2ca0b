//! The rules that one declaration can break by itself, each reported at the attribute that breaks
//! it.
//!
//! Rules that need to know what a type is like run on the metadata (`monotable_design::check`).

mod fields;
mod keys;
mod stamps;

use monotable_design::rules;

use super::model::Entity;
use crate::diagnostics::Errors;
use crate::serde_attributes::Container;

/// What serde writes must be the fields, and what it reads may be more.
pub(super) fn container(container: &Container, errors: &mut Errors) {
    if let Some((attribute, span)) = container.foreign {
        let what = format!(
            "`#[serde({attribute})]` on an entity makes serde write something else than its fields"
        );
        let fix = "remove it, or convert before the entity is made";
        errors.push(span, rules::D04.message_with_fix(&what, fix));
    }
    if let Some(span) = container.strict {
        let message = "[D04] `#[serde(deny_unknown_fields)]` on an entity refuses every row; rows also \
                       have their keys and their type, which are no fields; remove it";
        errors.push(span, message);
    }
}

/// Everything about one entity.
pub(super) fn entity(entity: &Entity, errors: &mut Errors) {
    keys::names(entity, errors);
    keys::primary(entity, errors);
    keys::shards(entity, errors);
    keys::parts(entity, errors);
    keys::indexes(entity, errors);
    keys::unique(entity, errors);
    fields::marks(entity, errors);
    stamps::stamps(entity, errors);
    fields::types(entity, errors);
    fields::absent(entity, errors);
    fields::serde(entity, errors);
    fields::created_by_update(entity, errors);
    fields::attributes(entity, errors);
    fields::setters(entity, errors);
}
