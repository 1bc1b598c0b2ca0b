//! The enum of several entities in one result: `Rows<(Team, Player)>` becomes `Rows<TeamPage>`.
//!
//! Tables and aggregates have such an enum, too.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Ident, Path, Type, Visibility};

use crate::diagnostics::Errors;
use crate::serde_attributes::snake;

/// An entity in a result.
#[derive(Clone)]
pub(crate) struct Member {
    /// The variant: the last word of the entity's path.
    pub(crate) variant: Ident,
    /// The entity as written.
    pub(crate) path: Path,
}

impl Member {
    /// Returns the entity that a type names.
    pub(crate) fn of(declared: &Type) -> syn::Result<Self> {
        match declared {
            Type::Path(path) if path.qself.is_none() => Self::named(path.path.clone()),
            other => Err(syn::Error::new_spanned(other, "expected the name of an entity")),
        }
    }

    /// Returns the entity at a path.
    pub(crate) fn named(path: Path) -> syn::Result<Self> {
        match path.segments.last() {
            Some(last) if path.segments.iter().all(|segment| segment.arguments.is_none()) => {
                Ok(Self { variant: last.ident.unraw(), path })
            }
            _ => Err(syn::Error::new_spanned(&path, "an entity has no type parameters")),
        }
    }

    /// Returns a link to it in documentation, as seen from where it is named.
    fn link(&self) -> String {
        match self.path.get_ident() {
            Some(name) => format!("[`{name}`]"),
            None => {
                format!("[`{}`]({})", self.variant, self.path.to_token_stream()).replace(' ', "")
            }
        }
    }

    /// Returns where it is named.
    pub(crate) fn span(&self) -> Span {
        self.variant.span()
    }
}

/// Reports entities that are named twice, and keeps the first of them. `place` is the position in
/// words, as in "the result of `team_page`".
pub(crate) fn unique(members: Vec<Member>, place: &str, errors: &mut Errors) -> Vec<Member> {
    let mut kept: Vec<Member> = Vec::with_capacity(members.len());
    for member in members {
        if kept.iter().any(|earlier| earlier.variant == member.variant) {
            let message = format!("{place} has `{}` twice; remove one of them", member.variant);
            errors.push(member.span(), message);
        } else {
            kept.push(member);
        }
    }
    kept
}

/// The enum to write.
pub(crate) struct RowEnum<'a> {
    /// Its name.
    pub(crate) name: &'a Ident,
    /// Who sees it.
    pub(crate) visibility: &'a Visibility,
    /// Its documentation comment.
    pub(crate) doc: String,
    /// Its entities, one a variant.
    pub(crate) members: &'a [Member],
}

impl RowEnum<'_> {
    /// Returns the enum with its conversions, and how rows become it.
    pub(crate) fn expand(&self, codegen: &TokenStream) -> TokenStream {
        let Self { name, visibility, doc, members } = self;
        let variants = members.iter().map(|member| {
            let doc = format!("A row of {}.", member.link());
            let Member { variant, path } = member;
            quote!(#[doc = #doc] #variant(#path))
        });
        let row_set = self.row_set(codegen);
        let accessors = self.accessors();
        let standard = self.standard_traits();
        quote! {
            #[doc = #doc]
            #[allow(clippy::large_enum_variant, clippy::enum_variant_names)]
            #[derive(::core::clone::Clone)]
            #visibility enum #name { #(#variants),* }
            #row_set
            #accessors
            #standard
        }
    }

    fn row_set(&self, codegen: &TokenStream) -> TokenStream {
        let Self { name, members, .. } = self;
        let paths = members.iter().map(|member| &member.path);
        let arms = members.iter().enumerate().map(|(position, Member { variant, path })| {
            let pattern = if position + 1 == members.len() { quote!(_) } else { quote!(#position) };
            quote!(#pattern => #codegen::decode_entity::<#path>(row, key).map(Self::#variant))
        });
        quote! {
            impl #codegen::RowSet for #name {
                const ENTITIES: &'static [&'static #codegen::EntityMeta] =
                    &[#(<#paths as #codegen::Entity>::META),*];
                fn decode(
                    position: ::core::primitive::usize,
                    row: #codegen::Row,
                    key: &#codegen::ParsedParts,
                ) -> #codegen::Result<Self> {
                    match position { #(#arms),* }
                }
            }
        }
    }

    /// `as_team()`, `into_team()` and `From<Team>`.
    fn accessors(&self) -> TokenStream {
        let Self { name, visibility, members, .. } = self;
        let functions = members.iter().map(|member| {
            let (Member { variant, path }, link) = (member, member.link());
            let word = snake(&variant.to_string());
            let (by_reference, by_value) =
                (format_ident!("as_{word}"), format_ident!("into_{word}"));
            let reference_doc = format!("The {link}, if it is one.");
            let value_doc = format!("Takes the {link} out, if it is one.");
            let rest = (members.len() > 1).then(|| quote!(, _ => ::core::option::Option::None));
            quote! {
                #[doc = #reference_doc]
                #visibility fn #by_reference(&self) -> ::core::option::Option<&#path> {
                    match self { Self::#variant(row) => ::core::option::Option::Some(row) #rest }
                }
                #[doc = #value_doc]
                #visibility fn #by_value(self) -> ::core::option::Option<#path> {
                    match self { Self::#variant(row) => ::core::option::Option::Some(row) #rest }
                }
            }
        });
        let conversions = members.iter().map(|Member { variant, path }| {
            quote! {
                impl ::core::convert::From<#path> for #name {
                    fn from(row: #path) -> Self { Self::#variant(row) }
                }
            }
        });
        quote! {
            #[allow(dead_code)]
            impl #name { #(#functions)* }
            #(#conversions)*
        }
    }

    /// Implements `Debug` and `PartialEq` if all entities do. With `for<'a>` the compiler does not
    /// require them here, where an entity without them should not be an error.
    fn standard_traits(&self) -> TokenStream {
        let Self { name, members, .. } = self;
        let variants: Vec<&Ident> = members.iter().map(|member| &member.variant).collect();
        let texts = variants.iter().map(ToString::to_string);
        let paths: Vec<&Path> = members.iter().map(|member| &member.path).collect();
        let unequal = (members.len() > 1).then(|| quote!(, _ => false));
        quote! {
            impl ::core::fmt::Debug for #name
            where #(for<'a> #paths: ::core::fmt::Debug),*
            {
                fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    match self {
                        #(Self::#variants(row) => formatter.debug_tuple(#texts).field(row).finish()),*
                    }
                }
            }
            impl ::core::cmp::PartialEq for #name
            where #(for<'a> #paths: ::core::cmp::PartialEq),*
            {
                fn eq(&self, other: &Self) -> ::core::primitive::bool {
                    match (self, other) {
                        #((Self::#variants(left), Self::#variants(right)) => left == right),*
                        #unequal
                    }
                }
            }
        }
    }
}
