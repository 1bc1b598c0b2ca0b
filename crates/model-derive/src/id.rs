//! `#[derive(Id)]` and `ids!`: typed ids, texts that identify one thing and never change.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Ident, Token, Type, Visibility};

use crate::crate_path::CratePath;
use crate::diagnostics::Errors;
use crate::serde_attributes::{container, member, refuse_other_text};
use crate::types;

/// Returns the code of an id, with its errors. An invalid id still gets its functions, so that
/// their uses cause no further errors.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    if !input.generics.params.is_empty() {
        let message = format!("an id has no parameters: write `struct {}(String);`", input.ident);
        return syn::Error::new_spanned(&input.generics, message).into_compile_error();
    }
    let field = errors.take(text(input));
    if let Some(field) = field {
        plain(input, field, &mut errors);
    }
    let codegen = CratePath::default().codegen();
    let mut tokens = expand(&input.ident, &input.vis, field.is_some(), &codegen);
    tokens.extend(errors.into_tokens());
    tokens
}

/// One id of `ids!`.
struct Declared {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
}

impl Parse for Declared {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = match input.parse()? {
            Visibility::Inherited => Visibility::Public(Token![pub](input.span())),
            written => written,
        };
        Ok(Self { attributes, visibility, name: input.parse()? })
    }
}

/// Returns the code of several ids.
pub(crate) fn ids(input: TokenStream) -> TokenStream {
    let ids = match Punctuated::<Declared, Token![,]>::parse_terminated.parse2(input) {
        Ok(ids) => ids,
        Err(error) => return error.into_compile_error(),
    };
    let codegen = CratePath::default().codegen();
    ids.iter().map(|id| id.expand(&codegen)).collect()
}

impl Declared {
    /// Returns the struct, its functions, and what serde does with it: the code of serde's own derive is longer.
    fn expand(&self, codegen: &TokenStream) -> TokenStream {
        let Self { attributes, visibility, name } = self;
        let functions = expand(name, visibility, true, codegen);
        quote! {
            #(#attributes)*
            #[derive(
                ::core::clone::Clone,
                ::core::fmt::Debug,
                ::core::cmp::PartialEq,
                ::core::cmp::Eq,
                ::core::hash::Hash,
                ::core::cmp::PartialOrd,
                ::core::cmp::Ord,
            )]
            #visibility struct #name(::std::string::String);

            #functions

            #[automatically_derived]
            impl #codegen::Serialize for #name {
                fn serialize<S: #codegen::Serializer>(
                    &self,
                    serializer: S,
                ) -> ::core::result::Result<S::Ok, S::Error> {
                    serializer.serialize_str(&self.0)
                }
            }

            #[automatically_derived]
            impl<'de> #codegen::Deserialize<'de> for #name {
                fn deserialize<D: #codegen::Deserializer<'de>>(
                    deserializer: D,
                ) -> ::core::result::Result<Self, D::Error> {
                    <::std::string::String as #codegen::Deserialize>::deserialize(deserializer)
                        .map(Self)
                }
            }
        }
    }
}

/// Returns the `String` in a struct of its own that an id is.
fn text(input: &DeriveInput) -> syn::Result<&Field> {
    let example = format!("write `struct {}(String);`", input.ident);
    let Data::Struct(data) = &input.data else {
        let message = format!("an id is a struct around a text: {example}");
        return Err(syn::Error::new(input.ident.span(), message));
    };
    match &data.fields {
        Fields::Unnamed(fields)
            if fields.unnamed.len() == 1 && is_string(&fields.unnamed[0].ty) =>
        {
            Ok(&fields.unnamed[0])
        }
        _ => {
            let message = format!("an id is a struct around one `String`: {example}");
            Err(syn::Error::new(input.ident.span(), message))
        }
    }
}

/// serde must write the text as it is.
fn plain(input: &DeriveInput, field: &Field, errors: &mut Errors) {
    let container = errors.take(container(&input.attrs)).unwrap_or_default();
    let hindrances = errors.take(member(&field.attrs)).unwrap_or_default().hindrances;
    let foreign = container.foreign.filter(|(attribute, _)| *attribute != "transparent");
    let inner = hindrances.iter().map(|hindrance| (hindrance.attribute, hindrance.span));
    for (attribute, span) in foreign.into_iter().chain(inner) {
        refuse_other_text(&input.ident, attribute, span, errors);
    }
}

fn is_string(declared: &Type) -> bool {
    types::last_word(declared) == "String"
}

fn expand(
    id: &Ident,
    visibility: &Visibility,
    is_sound: bool,
    codegen: &TokenStream,
) -> TokenStream {
    let (new, generate, as_str) = if is_sound {
        (
            quote!(#codegen::check_identifier(&text)?; ::core::result::Result::Ok(Self(text))),
            quote!(Self(#codegen::generate_identifier())),
            quote!(&self.0),
        )
    } else {
        let nothing = quote!(::core::unreachable!());
        (quote!(let _ = text; #nothing), nothing.clone(), nothing)
    };
    let inherent = quote! {
        #[allow(dead_code)]
        impl #id {
            /// Makes the id with this text: letters, digits and `. _ ~ @ + : -`.
            ///
            /// # Errors
            /// If the text is empty or has another character, which would make keys ambiguous.
            #visibility fn new(
                text: impl ::core::convert::Into<::std::string::String>,
            ) -> ::core::result::Result<Self, #codegen::KeyError> {
                let text = text.into();
                #new
            }

            /// Generates a unique id: a UUID (version 7), so that ids sort by their age.
            #visibility fn generate() -> Self {
                #generate
            }

            /// The text.
            #visibility fn as_str(&self) -> &str {
                #as_str
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
                #codegen::check_identifier(self.as_str())?;
                text.push_str(self.as_str());
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
                formatter.pad(self.as_str())
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
                self.as_str()
            }
        }
    };
    quote!(#inherent #part #text)
}

#[cfg(test)]
mod tests {
    use quote::ToTokens as _;

    use super::ids;
    use crate::diagnostics::messages;

    #[test]
    fn ids_are_public_by_default() {
        let expanded = ids("/// A team.\n TeamId, pub(crate) RowId,".parse().unwrap());
        let file: syn::File = syn::parse2(expanded).unwrap();
        let structs: Vec<_> = file
            .items
            .iter()
            .filter_map(|item| match item {
                syn::Item::Struct(item) => Some((item.vis.to_token_stream(), &item.ident)),
                _ => None,
            })
            .map(|(visibility, name)| format!("{visibility} {name}"))
            .collect();
        assert_eq!(structs, ["pub TeamId", "pub (crate) RowId"]);
    }

    #[test]
    fn a_list_of_something_else_is_refused() {
        let error = messages(ids("TeamId(String)".parse().unwrap()));
        assert_eq!(error, "expected `,`");
    }
}
