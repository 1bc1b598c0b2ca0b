//! `plain`, `envelope("data")` and `value_row`: how fields become attributes, as declared for a table
//! or an entity.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, parenthesized};

/// A codec as declared.
pub(crate) enum Codec {
    /// One attribute a field.
    Plain,
    /// A JSON string in the attribute of this name.
    Envelope(LitStr),
    /// A key-value row.
    ValueRow,
}

impl Parse for Codec {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word: Ident = input.parse()?;
        match word.to_string().as_str() {
            "plain" => Ok(Self::Plain),
            "value_row" => Ok(Self::ValueRow),
            "envelope" => {
                let inside;
                parenthesized!(inside in input);
                Ok(Self::Envelope(inside.parse()?))
            }
            other => {
                let message = format!(
                    "there is no codec `{other}`; write `plain`, `envelope(\"data\")` or `value_row`"
                );
                Err(syn::Error::new(word.span(), message))
            }
        }
    }
}

impl Codec {
    /// Returns the constant `Codec`.
    pub(crate) fn expand(&self, codegen: &TokenStream) -> TokenStream {
        match self {
            Self::Plain => quote!(#codegen::Codec::Plain),
            Self::Envelope(data) => quote!(#codegen::Codec::Envelope { data: #data }),
            Self::ValueRow => quote!(#codegen::Codec::ValueRow),
        }
    }
}
