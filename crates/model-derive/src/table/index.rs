//! `index GSI2(GSI2PK, GSI2SK) projection(include(number)) allow(…)` and `local index LSI1(SK2)`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Token, parenthesized};

use super::Name;
use super::parse::is_statement;
use crate::allow::Allow;

/// A secondary index as declared.
pub(crate) struct Index {
    /// Its name.
    pub(crate) name: Name,
    /// Global or local.
    pub(crate) kind: Kind,
    /// The attributes of the partition key; none of its own for a local index.
    pub(crate) partition: Vec<Name>,
    /// The attributes of the sort key.
    pub(crate) sort: Vec<Name>,
    projection: Projection,
    allows: Vec<Allow>,
}

/// The kind of an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A partition key of its own.
    Global,
    /// The table's partition key.
    Local,
}

enum Projection {
    All,
    KeysOnly,
    Include(Vec<Name>),
}

impl Index {
    /// Reads the tokens after the word `index`.
    pub(crate) fn read(kind: Kind, input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Name = input.parse()?;
        let (partition, sort) = keys(kind, &name, input)?;
        let mut index =
            Self { name, kind, partition, sort, projection: Projection::All, allows: Vec::new() };
        // Where the `;` is missing, the next statement follows.
        while !input.is_empty() && !is_next_statement(input) {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "projection" => index.projection = projection(input)?,
                "allow" => index.allows.push(input.parse()?),
                other => {
                    let message = format!(
                        "an index has no `{other}`; its keys can be followed by `projection(…)` and `allow(…)`"
                    );
                    return Err(syn::Error::new(word.span(), message));
                }
            }
        }
        Ok(index)
    }

    /// Returns the constant `IndexMeta`; `table_partition` is the partition key of the table.
    pub(crate) fn expand(&self, codegen: &TokenStream, table_partition: &Name) -> TokenStream {
        let Self { name, partition, sort, .. } = self;
        let (kind, partition) = match self.kind {
            Kind::Global => (quote!(Global), quote!(#(#partition),*)),
            Kind::Local => (quote!(Local), quote!(#table_partition)),
        };
        let projection = match &self.projection {
            Projection::All => quote!(All),
            Projection::KeysOnly => quote!(KeysOnly),
            Projection::Include(attributes) => quote!(Include(&[#(#attributes),*])),
        };
        let allows = self.allows.iter().map(|allow| allow.expand(codegen));
        quote!(#codegen::IndexMeta {
            name: #name,
            kind: #codegen::IndexKind::#kind,
            partition: &[#partition],
            sort: &[#(#sort),*],
            projection: #codegen::Projection::#projection,
            allows: &[#(#allows),*],
        })
    }
}

fn is_next_statement(input: ParseStream<'_>) -> bool {
    let word = input.fork().call(Ident::parse_any);
    word.is_ok_and(|word| word != "allow" && is_statement(&word))
}

/// Returns the key attributes: partition and sort of a global index, sort of a local one.
fn keys(kind: Kind, index: &Name, input: ParseStream<'_>) -> syn::Result<(Vec<Name>, Vec<Name>)> {
    let expected = match kind {
        Kind::Global => format!("`index {0}({0}PK, {0}SK)`, or `index {0}({0}PK)`", index.text),
        Kind::Local => format!("`local index {0}({0}SK)`", index.text),
    };
    let refuse = || {
        let message = format!("name the key attributes of `{}`: {expected}", index.text);
        syn::Error::new(index.span, message)
    };
    if !input.peek(syn::token::Paren) {
        return Err(refuse());
    }
    let inside;
    parenthesized!(inside in input);
    if inside.is_empty() {
        return Err(refuse());
    }
    let first = attributes(&inside)?;
    inside.parse::<Option<Token![,]>>()?;
    let second = if inside.is_empty() { Vec::new() } else { attributes(&inside)? };
    inside.parse::<Option<Token![,]>>()?;
    if !inside.is_empty() || (kind == Kind::Local && !second.is_empty()) {
        return Err(refuse());
    }
    match kind {
        Kind::Global => Ok((first, second)),
        Kind::Local => Ok((Vec::new(), first)),
    }
}

/// Returns one attribute, or several in parentheses.
fn attributes(input: ParseStream<'_>) -> syn::Result<Vec<Name>> {
    if !input.peek(syn::token::Paren) {
        return Ok(vec![input.parse()?]);
    }
    let inside;
    parenthesized!(inside in input);
    Ok(inside.parse_terminated(Name::parse, Token![,])?.into_iter().collect())
}

fn projection(input: ParseStream<'_>) -> syn::Result<Projection> {
    let inside;
    parenthesized!(inside in input);
    let word: Ident = inside.parse()?;
    let projection = match word.to_string().as_str() {
        "all" => Projection::All,
        "keys_only" => Projection::KeysOnly,
        "include" => Projection::Include(attributes(&inside)?),
        _ => {
            let message = "a projection is `all`, `keys_only` or `include(attribute, …)`";
            return Err(syn::Error::new(word.span(), message));
        }
    };
    if !inside.is_empty() {
        return Err(inside.error("expected the end of `projection(…)`"));
    }
    Ok(projection)
}
