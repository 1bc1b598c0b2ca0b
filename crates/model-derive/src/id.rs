//! `#[derive(Id)]`: a typed id, a text that identifies one thing and never changes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, Type};

use crate::crate_path::CratePath;
use crate::types;

/// The code of an id, or its error.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    match inner(input) {
        Ok(()) => expand(input, &CratePath::default().codegen()),
        Err(error) => error.into_compile_error(),
    }
}

/// An id is a `String` in a struct of its own.
fn inner(input: &DeriveInput) -> syn::Result<()> {
    let example = format!("write `struct {}(String);`", input.ident);
    let Data::Struct(data) = &input.data else {
        let message = format!("an id is a struct around a text: {example}");
        return Err(syn::Error::new(input.ident.span(), message));
    };
    if !input.generics.params.is_empty() {
        let message = format!("an id has no parameters: {example}");
        return Err(syn::Error::new_spanned(&input.generics, message));
    }
    match &data.fields {
        Fields::Unnamed(fields)
            if fields.unnamed.len() == 1 && is_string(&fields.unnamed[0].ty) =>
        {
            Ok(())
        }
        _ => {
            let message = format!("an id is a struct around one `String`: {example}");
            Err(syn::Error::new(input.ident.span(), message))
        }
    }
}

fn is_string(declared: &Type) -> bool {
    types::last_word(declared) == "String"
}

fn expand(input: &DeriveInput, codegen: &TokenStream) -> TokenStream {
    let (id, visibility) = (&input.ident, &input.vis);
    let inherent = quote! {
        #[allow(dead_code)]
        impl #id {
            /// The id with this text: letters, digits and `. _ ~ @ + : -`.
            ///
            /// # Errors
            /// If the text is empty or has another character, which would make keys ambiguous.
            #visibility fn new(
                text: impl ::core::convert::Into<::std::string::String>,
            ) -> ::core::result::Result<Self, #codegen::KeyError> {
                let text = text.into();
                #codegen::check_identifier(&text)?;
                ::core::result::Result::Ok(Self(text))
            }

            /// A new id that nobody else has: a UUID (version 7), so that ids sort by their age.
            #visibility fn generate() -> Self {
                Self(#codegen::generate_identifier())
            }

            /// The text.
            #visibility fn as_str(&self) -> &str {
                &self.0
            }
        }
    };
    let part = quote! {
        #[automatically_derived]
        impl #codegen::PartText for #id {
            fn write(
                &self,
                pad: u8,
                text: &mut ::std::string::String,
            ) -> ::core::result::Result<(), #codegen::KeyError> {
                let _ = pad;
                #codegen::check_identifier(&self.0)?;
                text.push_str(&self.0);
                ::core::result::Result::Ok(())
            }
        }

        #[automatically_derived]
        impl #codegen::KeyPart for #id {
            const KIND: #codegen::PartKind = #codegen::PartKind::IDENTITY;

            fn parse(text: &str) -> ::core::result::Result<Self, #codegen::KeyError> {
                Self::new(text)
            }
        }
    };
    let text = quote! {
        #[automatically_derived]
        impl ::core::fmt::Display for #id {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                formatter.pad(&self.0)
            }
        }

        #[automatically_derived]
        impl ::core::str::FromStr for #id {
            type Err = #codegen::KeyError;

            fn from_str(text: &str) -> ::core::result::Result<Self, Self::Err> {
                Self::new(text)
            }
        }

        #[automatically_derived]
        impl ::core::convert::AsRef<str> for #id {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
    quote!(#inherent #part #text)
}
