//! Key templates in declarations: string literals read as templates, and written as constants.
//!
//! Whose fields they name is the business of the caller: an entity has fields, a pattern has
//! arguments.

use monotable_design::rules;
use monotable_design::template::{Piece, parse};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Token, Type, bracketed};

use crate::diagnostics::{Errors, did_you_mean};

/// A template as declared.
pub(crate) struct KeyTemplate {
    /// The literal, for its text and its location.
    pub(crate) literal: LitStr,
    /// Its parts in order.
    pub(crate) pieces: Vec<Piece>,
}

/// What a name in a template stands for.
pub(crate) struct Slot<'a> {
    /// The position of the entity's field, or of the pattern's key argument, as an expression.
    pub(crate) position: TokenStream,
    /// The type of the value, without `Option` and references.
    pub(crate) part_type: &'a Type,
    /// Whether it may be absent.
    pub(crate) is_optional: bool,
}

impl Parse for KeyTemplate {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Self::read(input.parse()?)
    }
}

impl KeyTemplate {
    /// Reads a literal as a template.
    pub(crate) fn read(literal: LitStr) -> syn::Result<Self> {
        let text = literal.value();
        if text.is_empty() {
            let message = rules::K11.message_with_fix(
                "this key template is empty",
                "write a literal, such as \"METADATA\"",
            );
            return Err(syn::Error::new(literal.span(), message));
        }
        match parse(&text) {
            Ok(pieces) => Ok(Self { literal, pieces }),
            Err(error) => Err(syn::Error::new(literal.span(), error.message)),
        }
    }

    /// Returns one template, or several in brackets for a key of several attributes.
    pub(crate) fn list(input: ParseStream<'_>) -> syn::Result<Vec<Self>> {
        if !input.peek(syn::token::Bracket) {
            return Ok(vec![input.parse()?]);
        }
        let inside;
        bracketed!(inside in input);
        let templates = inside.parse_terminated(Self::parse, Token![,])?;
        Ok(templates.into_iter().collect())
    }

    /// Returns where it is declared.
    pub(crate) fn span(&self) -> Span {
        self.literal.span()
    }

    /// Returns the names between its braces, `{shard}` left out.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Field { name, .. } => Some(name.as_str()),
            Piece::Literal(_) | Piece::Shard => None,
        })
    }

    /// Returns whether it has a `{shard}`.
    pub(crate) fn is_sharded(&self) -> bool {
        self.pieces.contains(&Piece::Shard)
    }

    /// Reports names that refer to nothing. `owner` is the owner of the template, as in "the sort
    /// key of `Player`", and `absence` what is missing, as in "the struct has no such field".
    pub(crate) fn check_names(
        &self,
        owner: &str,
        absence: &str,
        known: &[String],
        errors: &mut Errors,
    ) {
        for name in self.names().filter(|name| !known.iter().any(|known| known == name)) {
            let guess = did_you_mean(name, known.iter().map(String::as_str));
            let message = format!("[T001] {owner} uses `{{{name}}}`, but {absence}{guess}");
            errors.push(self.span(), message);
        }
    }

    /// Returns the constant `Template`. Names without a slot are left out, because
    /// [`check_names`](Self::check_names) has reported them.
    pub(crate) fn expand<'a>(
        &self,
        codegen: &TokenStream,
        slot: impl Fn(&str) -> Option<Slot<'a>>,
    ) -> TokenStream {
        let literal = &self.literal;
        let segments = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Literal(text) => Some(quote!(#codegen::Segment::Literal(#text))),
            Piece::Shard => Some(quote!(#codegen::Segment::Shard)),
            Piece::Field { name, pad } => {
                let Slot { position, part_type, is_optional } = slot(name)?;
                Some(quote!(#codegen::Segment::Field {
                    name: #name,
                    position: #position,
                    pad: #pad,
                    kind: <#part_type as #codegen::KeyPart>::KIND,
                    is_optional: #is_optional,
                }))
            }
        });
        quote!(#codegen::Template { text: #literal, segments: &[#(#segments),*] })
    }
}
