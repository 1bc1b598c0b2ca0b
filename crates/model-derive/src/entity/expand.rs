//! The code of an entity. Each file writes one part; all paths are absolute.

mod checks;
mod key;
mod meta;
mod parts;
mod paths;
pub(super) mod stub;
mod traits;
mod update;
mod wire;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::quote;
use syn::spanned::Spanned;

use super::model::Entity;

/// Everything that the derive adds.
pub(super) fn entity(entity: &Entity) -> TokenStream {
    let key = key::expand(entity);
    let parts = parts::expand(entity);
    let traits = traits::expand(entity);
    let update = update::expand(entity);
    let paths = paths::expand(entity);
    let checks = checks::expand(entity);
    quote!(#key #parts #traits #update #paths #checks)
}

/// Returns the location of something in the user's code, for tokens with `self` and other names of
/// the macro in them: inside a `macro_rules` those would not resolve with the location alone.
fn at(written: &impl Spanned) -> Span {
    Span::call_site().located_at(written.span())
}

/// Returns the tokens with another location, which the compiler then shows.
fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let at = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), respan(group.stream(), span));
            moved.set_span(span);
            TokenTree::Group(moved)
        }
        mut other => {
            other.set_span(span);
            other
        }
    };
    tokens.into_iter().map(at).collect()
}
