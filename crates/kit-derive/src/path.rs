//! `#[derive(Path)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::attributes::named_fields;
use crate::naming::camel;

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let ident = &input.ident;
    let values = named_fields(input)?.into_iter().map(|field| {
        let field = &field.ident;
        let name = field.as_ref().map(|field| camel(&field.to_string()));
        quote!(#field: ::monotable_kit::codegen::path_value(values, #name)?)
    });
    Ok(quote! {
        #[automatically_derived]
        impl ::monotable_kit::Path for #ident {
            fn read(
                values: &::monotable_kit::codegen::PathValues,
            ) -> ::core::result::Result<Self, ::monotable_kit::Problem> {
                ::core::result::Result::Ok(Self { #(#values),* })
            }
        }
    })
}
