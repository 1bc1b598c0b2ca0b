//! `#[derive(RuleKey)]`: the key of a rule that is kept as a row. The declaration is read and checked
//! ([`parse`]), and written as code ([`expand`]).

mod expand;
mod parse;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::diagnostics::Errors;

/// Returns the code of a rule key, or its errors with a placeholder for it.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = parse::RuleKey::read(input, &mut errors);
    match model {
        Some(model) if errors.is_empty() => expand::rule_key(&model),
        model => {
            let mut tokens = expand::stub(input, model.as_ref());
            tokens.extend(errors.into_tokens());
            tokens
        }
    }
}
