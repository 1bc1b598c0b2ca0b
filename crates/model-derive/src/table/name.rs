//! Names of attributes and indexes: a word, or a string where DynamoDB's names are no Rust words.

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr};

/// A name as declared.
pub(crate) struct Name {
    /// The name itself.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) span: Span,
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            if literal.value().is_empty() {
                return Err(syn::Error::new(literal.span(), "a name can't be empty"));
            }
            return Ok(Self { text: literal.value(), span: literal.span() });
        }
        let word = input.call(Ident::parse_any)?;
        Ok(Self { text: word.unraw().to_string(), span: word.span() })
    }
}

impl ToTokens for Name {
    fn to_tokens(&self, tokens: &mut proc_macro2::TokenStream) {
        LitStr::new(&self.text, self.span).to_tokens(tokens);
    }
}
