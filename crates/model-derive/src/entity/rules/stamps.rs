//! Rules of the field with `#[stamps]`.

use quote::ToTokens as _;

use crate::diagnostics::Errors;
use crate::entity::field::{Marks, Stamps};
use crate::entity::model::Entity;

/// serde does not write the stamps, and they are the only ones.
pub(super) fn stamps(entity: &Entity, errors: &mut Errors) {
    let Some(Stamps { ident, declared, span, is_skipped, mark }) = &entity.stamps else { return };
    if !is_skipped {
        let message = format!(
            "`{ident}` is written under the names that the table gives it, and not by serde: write \
             `#[stamps] #[serde(skip)] {ident}: {}`",
            declared.to_token_stream()
        );
        errors.push(*span, message);
    }
    if let Some((word, span)) = mark {
        let message = format!("`{ident}` can't be `#[stamps]` and `#[{word}]`");
        errors.push(*span, message);
    }
    for field in entity.own_fields() {
        let Marks { version, created, updated, .. } = field.marks;
        let marks = [("version", version), ("created", created), ("updated", updated)];
        for (word, mark) in marks {
            let Some(span) = mark else { continue };
            let message = format!(
                "`#[{word}]` beside `#[stamps]`: what the layer keeps with a row is in one place; \
                 remove `{}`, and name its attribute in the `table!`: `stamps {}({word} = {}, …);`",
                field.name,
                declared.to_token_stream(),
                field.attribute
            );
            errors.push(span, message);
        }
    }
}
