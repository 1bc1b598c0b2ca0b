//! `table!`: a table, its indexes, its entities and its access patterns.
//!
//! The declaration is read statement by statement into a model ([`parse`], [`index`]), which is written
//! as a type with constants ([`expand`]). What the entities and patterns are like is not known here:
//! constants are compared when the program compiles.

mod expand;
mod index;
mod name;
mod parse;
mod stamps;
#[cfg(test)]
mod tests;

pub(crate) use name::Name;
pub(crate) use stamps::alone as stamps;

use proc_macro2::TokenStream;

use crate::diagnostics::Errors;

/// Returns the expansion of `table! { … }`, followed by the errors of the declaration.
pub(crate) fn table(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let table = parse::read(input, &mut errors);
    let mut tokens = table.map(|table| table.expand(errors.is_empty())).unwrap_or_default();
    tokens.extend(errors.into_tokens());
    tokens
}
