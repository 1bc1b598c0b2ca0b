//! The syntax of the attributes of an entity's struct: `#[entity]`, `#[key]`, `#[index]`,
//! `#[unique]` and `#[mirror]`. Whether they fit the fields is checked elsewhere.

mod key;

pub(super) use key::{Key, Shards};

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, DeriveInput, Ident, LitStr, Path, Token};

use self::key::{KeyParts, once, one, word};
use crate::allow::Allow;
use crate::codec::Codec;
use crate::crate_path::CratePath;
use crate::diagnostics::Errors;
use crate::template::KeyTemplate;

/// All attributes of one struct.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) crate_path: CratePath,
    pub(super) type_name: Option<LitStr>,
    pub(super) codec: Option<Codec>,
    pub(super) module: Option<LitStr>,
    pub(super) rule: Option<Path>,
    pub(super) key: Option<Key>,
    pub(super) indexes: Vec<Index>,
    pub(super) unique: Vec<Unique>,
    pub(super) mirrors: Vec<Mirror>,
    pub(super) allows: Vec<Allow>,
}

/// `#[index(GSI1: pk = …, sk = …)]`
pub(super) struct Index {
    pub(super) name: Ident,
    pub(super) partition: Vec<KeyTemplate>,
    pub(super) sort: Vec<KeyTemplate>,
    pub(super) is_sparse: bool,
    pub(super) shards: Option<Shards>,
    /// The location of a `unique` option of an index, which does not exist.
    pub(super) unique: Option<Span>,
}

/// `#[unique(field, …)]`
pub(super) struct Unique {
    pub(super) span: Span,
    pub(super) fields: Vec<Ident>,
    pub(super) name: Option<LitStr>,
    pub(super) partition: Option<KeyTemplate>,
    pub(super) sort: Option<KeyTemplate>,
    pub(super) is_released: bool,
}

/// `#[mirror(…)]`
pub(super) enum Mirror {
    /// The same entity under another key.
    Same(Key),
    /// Another entity.
    Other(Path),
}

/// Reads all attributes; those that can't be read are errors, and left out.
pub(super) fn attributes(input: &DeriveInput, errors: &mut Errors) -> Attributes {
    let mut found = Attributes::default();
    for attribute in &input.attrs {
        let path = attribute.path();
        let result = if path.is_ident("entity") {
            entity(attribute, &mut found)
        } else if path.is_ident("key") {
            primary(attribute, &mut found)
        } else if path.is_ident("index") {
            index(attribute, &mut found)
        } else if path.is_ident("unique") {
            unique(attribute, &mut found)
        } else if path.is_ident("mirror") {
            mirror(attribute, &mut found)
        } else {
            Ok(())
        };
        errors.take(result);
    }
    found
}

fn entity(attribute: &Attribute, found: &mut Attributes) -> syn::Result<()> {
    attribute.parse_nested_meta(|meta| {
        let option = word(&meta);
        match option.as_str() {
            "type" => once(&mut found.type_name, &meta, |meta| meta.value()?.parse()),
            "codec" => once(&mut found.codec, &meta, |meta| meta.value()?.parse()),
            "module" => once(&mut found.module, &meta, |meta| meta.value()?.parse()),
            "rule" => once(&mut found.rule, &meta, |meta| meta.value()?.parse()),
            "crate" => {
                found.crate_path = CratePath::named(&meta.value()?.parse()?)?;
                Ok(())
            }
            "allow" => {
                found.allows.push(meta.input.parse()?);
                Ok(())
            }
            _ => Err(unknown(&meta, "`type`, `codec`, `module`, `rule`, `crate` and `allow(…)`")),
        }
    })
}

fn primary(attribute: &Attribute, found: &mut Attributes) -> syn::Result<()> {
    let span = attribute.path().require_ident()?.span();
    if found.key.is_some() {
        let message = "a second `#[key]`: an entity has one; use `#[index]` for an index and \
                       `#[mirror]` for a second row";
        return Err(syn::Error::new(span, message));
    }
    let mut parts = KeyParts::default();
    attribute.parse_nested_meta(|meta| {
        if parts.read(&meta)? {
            return Ok(());
        }
        allow(&meta, found, "`pk`, `sk`, `shards`, `by` and `allow(…)`")
    })?;
    found.key = Some(parts.key(span)?);
    Ok(())
}

/// The name is followed by a colon. Clippy parses an attribute that is a list of names and values,
/// and reports values that two indexes share as a mistake; with a colon it does not.
fn index(attribute: &Attribute, found: &mut Attributes) -> syn::Result<()> {
    attribute.parse_args_with(|input: ParseStream<'_>| {
        if !input.peek(Ident) || input.peek2(Token![=]) {
            let span = attribute.path().require_ident()?.span();
            let message = "an index has a name: write `#[index(GSI1: pk = \"…\", sk = \"…\")]`";
            return Err(syn::Error::new(span, message));
        }
        let name: Ident = input.parse()?;
        if !input.peek(Token![:]) && !input.is_empty() {
            let message = format!(
                "a colon follows the name of an index: write `#[index({name}: pk = \"…\", sk = \"…\")]`"
            );
            return Err(input.error(message));
        }
        input.parse::<Option<Token![:]>>()?;
        index_keys(name, input.parse()?, found)
    })
}

fn index_keys(name: Ident, options: TokenStream, found: &mut Attributes) -> syn::Result<()> {
    let mut parts = KeyParts::default();
    let (mut is_sparse, mut unique) = (false, None);
    let parser = syn::meta::parser(|meta| {
        if parts.read(&meta)? {
            return Ok(());
        }
        match word(&meta).as_str() {
            "sparse" => is_sparse = true,
            "unique" => unique = Some(meta.path.require_ident()?.span()),
            _ => {
                return allow(&meta, found, "`sparse`, `pk`, `sk`, `shards`, `by` and `allow(…)`");
            }
        }
        Ok(())
    });
    parser.parse2(options)?;
    let shards = parts.shards(name.span())?;
    if parts.partition.is_none() && parts.sort.is_none() {
        let message = "an index has keys: write `pk = \"…\", sk = \"…\"`; for a local index, which \
                       shares the table's partition key, `sk` alone";
        return Err(syn::Error::new(name.span(), message));
    }
    let partition = parts.partition.unwrap_or_default();
    let sort = parts.sort.unwrap_or_default();
    found.indexes.push(Index { name, partition, sort, is_sparse, shards, unique });
    Ok(())
}

fn unique(attribute: &Attribute, found: &mut Attributes) -> syn::Result<()> {
    let span = attribute.path().require_ident()?.span();
    let (mut fields, mut name, mut is_released) = (Vec::new(), None, true);
    let mut parts = KeyParts::default();
    attribute.parse_nested_meta(|meta| {
        if !meta.input.peek(Token![=]) && !meta.input.peek(syn::token::Paren) {
            fields.push(meta.path.require_ident()?.unraw());
            return Ok(());
        }
        match word(&meta).as_str() {
            "name" => once(&mut name, &meta, |meta| meta.value()?.parse()),
            "pk" | "sk" => parts.read(&meta).map(|_| ()),
            "release" => {
                let when: Ident = meta.value()?.parse()?;
                is_released = match when.to_string().as_str() {
                    "on_change" => true,
                    "never" => false,
                    _ => {
                        let message = "a value is released `on_change` or `never`";
                        return Err(syn::Error::new(when.span(), message));
                    }
                };
                Ok(())
            }
            _ => allow(&meta, found, "field names, `name`, `pk`, `sk`, `release` and `allow(…)`"),
        }
    })?;
    if fields.is_empty() {
        let message = "a unique constraint names its fields: write `#[unique(name)]`";
        return Err(syn::Error::new(span, message));
    }
    let partition = parts.partition.map(one).transpose()?;
    let sort = parts.sort.map(one).transpose()?;
    found.unique.push(Unique { span, fields, name, partition, sort, is_released });
    Ok(())
}

fn mirror(attribute: &Attribute, found: &mut Attributes) -> syn::Result<()> {
    let span = attribute.path().require_ident()?.span();
    let mut other: Option<Path> = None;
    let mut parts = KeyParts::default();
    attribute.parse_nested_meta(|meta| {
        if parts.read(&meta)? {
            return Ok(());
        }
        if meta.input.peek(syn::token::Paren) {
            return allow(&meta, found, "an entity, or `pk`, `sk`, `shards`, `by`, and `allow(…)`");
        }
        other = Some(meta.path);
        Ok(())
    })?;
    let mirror = match other {
        Some(other) if parts.partition.is_none() && parts.sort.is_none() => Mirror::Other(other),
        Some(other) => {
            let message = "another entity has a key of its own: leave `pk` and `sk` out";
            return Err(syn::Error::new_spanned(other, message));
        }
        None => Mirror::Same(parts.key(span)?),
    };
    found.mirrors.push(mirror);
    Ok(())
}

fn allow(meta: &ParseNestedMeta<'_>, found: &mut Attributes, options: &str) -> syn::Result<()> {
    if !meta.path.is_ident("allow") {
        return Err(unknown(meta, options));
    }
    found.allows.push(meta.input.parse()?);
    Ok(())
}

fn unknown(meta: &ParseNestedMeta<'_>, options: &str) -> syn::Error {
    let message = format!("`{}` is unknown here: there are {options}", word(meta));
    syn::Error::new_spanned(&meta.path, message)
}
