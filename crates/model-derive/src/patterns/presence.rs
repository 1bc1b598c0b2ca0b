//! Filters by whether rows have a field: `filter(exists(started_at), absent(completed_at))`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Ident, Token, parenthesized};

/// A field that rows must have or lack.
pub(crate) struct PresenceTest {
    variant: Ident,
    field: Ident,
}

/// Reads the parentheses after `filter`, with one or more tests.
pub(crate) fn list(input: ParseStream<'_>) -> syn::Result<Vec<PresenceTest>> {
    let inside;
    let parentheses = parenthesized!(inside in input);
    if inside.is_empty() {
        return Err(syn::Error::new(parentheses.span.join(), EXPECTED));
    }
    // Taken out first: what is left in parentheses after an error would be an error of its own.
    let tests: TokenStream = inside.parse()?;
    let tests = Punctuated::<PresenceTest, Token![,]>::parse_terminated.parse2(tests)?;
    Ok(tests.into_iter().collect())
}

const EXPECTED: &str = "a filter of the pattern is `exists(field)` or `absent(field)`; a filter by a \
                        value is an argument: `#[filter] status: Status`";

impl Parse for PresenceTest {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), EXPECTED))?;
        let variant = match word.to_string().as_str() {
            "exists" => format_ident!("Exists"),
            "absent" => format_ident!("Absent"),
            _ => return Err(syn::Error::new(word.span(), EXPECTED)),
        };
        let inside;
        parenthesized!(inside in input);
        let field: TokenStream = inside.parse()?;
        let field = syn::parse2(field).map_err(|error| syn::Error::new(error.span(), EXPECTED))?;
        Ok(Self { variant, field })
    }
}

impl PresenceTest {
    /// Returns the constant `PresenceTest`; `entities` are those that the pattern returns.
    pub(crate) fn expand(&self, codegen: &TokenStream, entities: &TokenStream) -> TokenStream {
        let (variant, field) = (&self.variant, self.field.unraw().to_string());
        quote! {
            #codegen::PresenceTest::#variant(#codegen::check::filter_attribute(#entities, #field))
        }
    }
}
