//! A field of a body or a view: its name, its kind and its documentation.

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{Expr, Field, Ident, Type};

use crate::attributes::{doc, text, texts};
use crate::naming::camel;

/// How fields are called in JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Camel,
    Snake,
}

impl Case {
    /// Reads `case = "snake"`.
    pub(crate) fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<Self> {
        match text(meta)?.as_str() {
            "camel" => Ok(Self::Camel),
            "snake" => Ok(Self::Snake),
            _ => Err(meta.error("a case is \"camel\" or \"snake\"")),
        }
    }

    pub(crate) fn name(self, ident: &Ident) -> String {
        match self {
            Self::Camel => camel(&ident.to_string()),
            Self::Snake => ident.to_string().trim_start_matches("r#").to_owned(),
        }
    }
}

/// The settings that fields of bodies and views share.
pub(crate) struct Declared<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    about: String,
    name: Option<String>,
    label: Option<String>,
    aliases: Vec<String>,
    kind: Option<Expr>,
    bounds: Vec<TokenStream>,
    check: Option<Expr>,
    example: Option<Expr>,
}

impl<'a> Declared<'a> {
    pub(crate) fn new(field: &'a Field) -> syn::Result<Self> {
        let Some(ident) = &field.ident else {
            return Err(syn::Error::new_spanned(field, "give the field a name"));
        };
        Ok(Self {
            ident,
            ty: &field.ty,
            about: doc(&field.attrs),
            name: None,
            label: None,
            aliases: Vec::new(),
            kind: None,
            bounds: Vec::new(),
            check: None,
            example: None,
        })
    }

    /// Reads a part of the attribute, and returns whether the part is known.
    pub(crate) fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
        let Some(word) = meta.path.get_ident().map(Ident::to_string) else { return Ok(false) };
        let value = |meta: &ParseNestedMeta<'_>| meta.value()?.parse::<Expr>();
        match word.as_str() {
            "name" => self.name = Some(text(meta)?),
            "label" => self.label = Some(text(meta)?),
            "alias" => self.aliases.extend(texts(meta)?),
            "kind" => self.kind = Some(value(meta)?),
            "check" => self.check = Some(value(meta)?),
            "example" => self.example = Some(value(meta)?),
            "words" => {
                let words = value(meta)?;
                self.kind = Some(syn::parse_quote!(::monotable_kit::Kind::Word(#words)));
            }
            "length" => {
                let length = value(meta)?;
                self.bounds.push(quote!(.length(#length)));
            }
            "range" => {
                let range = value(meta)?;
                self.bounds.push(quote!(.range(#range)));
            }
            "items" => {
                let items = value(meta)?;
                self.bounds.push(quote!(.items(#items)));
            }
            "unique" => self.bounds.push(quote!(.unique())),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the name in JSON.
    pub(crate) fn name(&self, case: Case) -> String {
        self.name.clone().unwrap_or_else(|| case.name(self.ident))
    }

    /// Returns the expression of the `Field` in the schema.
    pub(crate) fn expand(&self, case: Case, is_required: &TokenStream) -> TokenStream {
        let Self { ty, about, label, aliases, kind, bounds, check, example, .. } = self;
        let name = self.name(case);
        let kind = match kind {
            Some(kind) => quote!(#kind),
            None => quote!(<#ty as ::monotable_kit::FieldType>::kind()),
        };
        let example = example.as_ref().map(|example| quote!(.example(#example)));
        let check = check.as_ref().map(
            |check| quote!(.check(|value| ::monotable_kit::codegen::check_value(value, #check))),
        );
        let label = label.as_ref().map(|label| quote!(.label(#label)));
        let aliases = (!aliases.is_empty()).then(|| quote!(.aliases(&[#(#aliases),*])));
        quote! {
            ::monotable_kit::codegen::field::<#ty>(#name, #kind #(#bounds)*, #is_required)
                .about(#about) #label #aliases #check #example
        }
    }
}
