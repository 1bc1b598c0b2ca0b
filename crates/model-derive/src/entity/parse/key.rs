//! What keys have in common, whatever they are the keys of: `pk`, `sk`, `shards` and `by`.

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::{Ident, LitInt};

use crate::template::KeyTemplate;

/// `#[key(pk = …, sk = …)]`, and the same inside `#[mirror]`.
pub(in crate::entity) struct Key {
    pub(in crate::entity) partition: KeyTemplate,
    pub(in crate::entity) sort: Option<KeyTemplate>,
    pub(in crate::entity) shards: Option<Shards>,
}

/// `shards = 8, by = field`
pub(in crate::entity) struct Shards {
    pub(in crate::entity) count: u16,
    pub(in crate::entity) by: Ident,
}

/// What a key has, whatever it is the key of.
#[derive(Default)]
pub(super) struct KeyParts {
    pub(super) partition: Option<Vec<KeyTemplate>>,
    pub(super) sort: Option<Vec<KeyTemplate>>,
    shards: Option<LitInt>,
    by: Option<Ident>,
}

impl KeyParts {
    /// Reads one option; returns `false` if it is not an option of a key.
    pub(super) fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
        match word(meta).as_str() {
            "pk" => once(&mut self.partition, meta, |meta| KeyTemplate::list(meta.value()?))?,
            "sk" => once(&mut self.sort, meta, |meta| KeyTemplate::list(meta.value()?))?,
            "shards" => once(&mut self.shards, meta, |meta| meta.value()?.parse())?,
            "by" => once(&mut self.by, meta, |meta| Ok(meta.value()?.parse::<Ident>()?.unraw()))?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn partition(&mut self, span: Span) -> syn::Result<Vec<KeyTemplate>> {
        self.partition.take().ok_or_else(|| {
            let message = "a key needs a partition key: write `pk = \"TEAM#{team_id}\"`";
            syn::Error::new(span, message)
        })
    }

    /// Returns how the partition is spread.
    pub(super) fn shards(&mut self, span: Span) -> syn::Result<Option<Shards>> {
        let (count, by) = match (self.shards.take(), self.by.take()) {
            (None, None) => return Ok(None),
            (Some(count), Some(by)) => (count, by),
            _ => {
                let message = "`shards` and `by` belong together: write `shards = 8, by = team_id`";
                return Err(syn::Error::new(span, message));
            }
        };
        match count.base10_parse::<u16>()? {
            0 | 1 => Err(syn::Error::new(count.span(), "a partition is spread over 2 or more")),
            number => Ok(Some(Shards { count: number, by })),
        }
    }

    /// Returns the key of a row: one attribute each.
    pub(super) fn key(mut self, span: Span) -> syn::Result<Key> {
        let shards = self.shards(span)?;
        let partition = one(self.partition(span)?)?;
        let sort = self.sort.map(one).transpose()?;
        Ok(Key { partition, sort, shards })
    }
}

/// Returns the only template of a table's key attribute.
pub(super) fn one(templates: Vec<KeyTemplate>) -> syn::Result<KeyTemplate> {
    let message = "a table's key has one attribute here: only indexes have keys of several";
    let mut templates = templates.into_iter();
    match (templates.next(), templates.next()) {
        (Some(template), None) => Ok(template),
        (_, Some(second)) => Err(syn::Error::new(second.span(), message)),
        (None, None) => Err(syn::Error::new(Span::call_site(), message)),
    }
}

/// Sets an option that may be given once.
pub(super) fn once<T>(
    option: &mut Option<T>,
    meta: &ParseNestedMeta<'_>,
    read: impl FnOnce(&ParseNestedMeta<'_>) -> syn::Result<T>,
) -> syn::Result<()> {
    let value = read(meta)?;
    if option.replace(value).is_some() {
        let message = format!("`{}` is given twice", word(meta));
        return Err(syn::Error::new_spanned(&meta.path, message));
    }
    Ok(())
}

/// Returns the word that an option begins with.
pub(super) fn word(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.to_token_stream().to_string()
}
