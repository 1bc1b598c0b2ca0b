//! `#[derive(Body)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path};

use crate::attributes::{doc, each, named_fields, texts};
use crate::field::{Case, Declared};

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut case = Case::Camel;
    let mut changes = Vec::new();
    let mut row: Option<Path> = None;
    each(&input.attrs, "body", |meta| {
        if meta.path.is_ident("case") {
            case = Case::read(&meta)?;
        } else if meta.path.is_ident("read_only") {
            let names = texts(&meta)?;
            changes.push(quote!(.read_only([#(#names),*])));
        } else if meta.path.is_ident("read_only_of") {
            let view: Path = meta.value()?.parse()?;
            changes.push(quote!(.read_only_of(&<#view as ::monotable_kit::View>::schema())));
        } else if meta.path.is_ident("applies_to") {
            row = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("not_empty") {
            changes.push(quote!(.must_say_something()));
        } else if meta.path.is_ident("check") {
            let check: Path = meta.value()?.parse()?;
            changes.push(quote!(.checked(#check)));
        } else if meta.path.is_ident("paged") {
            changes.push(quote!(.paged()));
        } else {
            return Err(meta.error(
                "a body has `case`, `read_only`, `read_only_of`, `applies_to`, `check`, `not_empty` and `paged`",
            ));
        }
        Ok(())
    })?;
    let (mut fields, mut values, mut applies) = (Vec::new(), Vec::new(), Vec::new());
    for field in named_fields(input)? {
        let mut declared = Declared::new(field)?;
        let (mut has_default, mut is_flat, mut is_applied) = (false, false, true);
        each(&field.attrs, "body", |meta| {
            if meta.path.is_ident("default") {
                has_default = true;
            } else if meta.path.is_ident("flatten") {
                is_flat = true;
            } else if meta.path.is_ident("not_applied") {
                is_applied = false;
            } else if !declared.read(&meta)? {
                return Err(meta.error(
                    "a field has `length`, `range`, `items`, `unique`, `words`, `kind`, `check`, `name`, \
                     `alias`, `default`, `flatten`, `not_applied` and `example`",
                ));
            }
            Ok(())
        })?;
        let (ident, ty, name) = (declared.ident, declared.ty, declared.name(case));
        if is_applied {
            applies.push(if is_flat {
                quote!(self.#ident.apply(row);)
            } else {
                quote!(::monotable_kit::ApplyTo::apply_to(&self.#ident, &mut row.#ident);)
            });
        }
        if is_flat {
            fields.push(quote!(::monotable_kit::codegen::fields_of::<#ty>()));
            values.push(quote!(#ident: <#ty as ::monotable_kit::Body>::read(fields.clone())?));
            continue;
        }
        let is_required = if has_default {
            quote!(false)
        } else {
            quote!(!<#ty as ::monotable_kit::FieldType>::IS_OPTIONAL)
        };
        let field = declared.expand(case, &is_required);
        fields.push(quote!(::std::vec![#field]));
        values.push(if has_default {
            quote!(#ident: ::monotable_kit::codegen::take_or_default(&mut fields, #name)?)
        } else {
            quote!(#ident: ::monotable_kit::codegen::take::<#ty>(&mut fields, #name)?)
        });
    }
    let (ident, name, about) = (&input.ident, input.ident.to_string(), doc(&input.attrs));
    let apply = row.map(|row| {
        quote! {
            impl #ident {
                /// Changes the fields of a row that the request names.
                pub(crate) fn apply(&self, row: &mut #row) {
                    #(#applies)*
                }
            }
        }
    });
    Ok(quote! {
        #apply

        #[automatically_derived]
        impl ::monotable_kit::Body for #ident {
            fn schema() -> ::core::option::Option<::monotable_kit::Schema> {
                let mut fields: ::std::vec::Vec<::monotable_kit::Field> = ::std::vec::Vec::new();
                #(fields.extend(#fields);)*
                ::core::option::Option::Some(
                    ::monotable_kit::Schema::object(#name, fields).about(#about) #(#changes)*
                )
            }

            fn read(
                mut fields: ::monotable_kit::codegen::Map,
            ) -> ::core::result::Result<Self, ::monotable_kit::Problem> {
                let _ = &mut fields;
                ::core::result::Result::Ok(Self { #(#values),* })
            }
        }

        #[automatically_derived]
        impl ::monotable_kit::FieldType for #ident {
            fn kind() -> ::monotable_kit::Kind {
                ::monotable_kit::codegen::object::<Self>()
            }
        }

        #[automatically_derived]
        impl<'de> ::monotable_kit::codegen::Deserialize<'de> for #ident {
            fn deserialize<D: ::monotable_kit::codegen::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                ::monotable_kit::codegen::deserialize_body(deserializer)
            }
        }
    })
}
