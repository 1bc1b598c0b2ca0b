//! `#[access_patterns(Table)]`: a trait whose functions are the reads of a table.
//!
//! The trait is read into a model ([`parse`]), which is written as the trait with its constants and its
//! implementation for the table's store ([`expand`]). Whether a pattern fits the entities of the table
//! is not known here: constants are compared when the program compiles.

mod arguments;
mod expand;
mod options;
mod parse;
mod presence;
mod returns;
pub(crate) mod rows;
mod sort;
#[cfg(test)]
mod tests;

pub(crate) use expand::location;

use proc_macro2::TokenStream;

use crate::diagnostics::Errors;

/// Returns the expansion of `#[access_patterns(…)]`, followed by the errors of the declaration.
pub(crate) fn access_patterns(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let set = parse::read(arguments, item, &mut errors);
    let mut tokens = set.map(|set| set.expand(errors.is_empty())).unwrap_or_default();
    tokens.extend(errors.into_tokens());
    tokens
}
