//! `#[derive(Entity)]`: attributes are read into a declaration ([`parse`]), the declaration is
//! checked and completed into a model ([`model`]), and the model is written as code ([`expand`]).

mod expand;
mod field;
mod model;
mod parse;
mod rules;
mod setters;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::diagnostics::Errors;

/// Returns the code of an entity, or its errors with what stands for it.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::Entity::read(input, &mut errors);
    match &model {
        Some(model) if errors.is_empty() => expand::entity(model),
        _ => {
            let mut tokens = expand::stub::expand(input, model.as_ref());
            tokens.extend(errors.into_tokens());
            tokens
        }
    }
}
