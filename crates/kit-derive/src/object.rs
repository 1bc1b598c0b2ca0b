//! `#[derive(FieldType)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::attributes::{doc, each, named_fields};
use crate::field::{Case, Declared};

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let (mut case, mut all_default) = (Case::Camel, false);
    each(&input.attrs, "field", |meta| {
        if meta.path.is_ident("case") {
            case = Case::read(&meta)?;
        } else if meta.path.is_ident("default") {
            all_default = true;
        } else {
            return Err(meta.error("an object has `case` and `default`"));
        }
        Ok(())
    })?;
    let mut fields = Vec::new();
    for field in named_fields(input)? {
        let mut declared = Declared::new(field)?;
        let mut has_default = all_default;
        each(&field.attrs, "field", |meta| {
            if meta.path.is_ident("default") {
                has_default = true;
            } else if !declared.read(&meta)? {
                return Err(meta.error(
                    "a field has `length`, `range`, `items`, `unique`, `words`, `kind`, `name`, `alias`, \
                     `default` and `example`",
                ));
            }
            Ok(())
        })?;
        let ty = declared.ty;
        let is_required =
            quote!(!#has_default && !<#ty as ::monotable_kit::FieldType>::IS_OPTIONAL);
        fields.push(declared.expand(case, &is_required));
    }
    let (ident, name, about) = (&input.ident, input.ident.to_string(), doc(&input.attrs));
    Ok(quote! {
        #[automatically_derived]
        impl ::monotable_kit::FieldType for #ident {
            fn kind() -> ::monotable_kit::Kind {
                ::monotable_kit::Kind::Object(
                    ::monotable_kit::Schema::object(#name, ::std::vec![#(#fields),*]).about(#about)
                )
            }
        }
    })
}
