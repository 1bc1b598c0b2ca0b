//! `#[derive(View)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Expr, Field, Path, Type};

use crate::attributes::{doc, each, named_fields, text};
use crate::field::{Case, Declared};

/// The settings of the whole view.
struct Container {
    case: Case,
    of: Option<Path>,
    list: Option<String>,
    differs_by_viewer: bool,
}

/// A field of a view.
struct Shown<'a> {
    declared: Declared<'a>,
    is_null: bool,
    is_version: bool,
    /// Whether only the `ETag` has the version.
    is_etag: bool,
    is_versioned: bool,
    is_secret: bool,
    is_flat: bool,
    /// Whether it is the stamps of a row, each a field.
    is_stamps: bool,
    /// Whether rows don't have this field.
    is_absent: bool,
    from: Option<Expr>,
}

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let container = Container::read(input)?;
    let fields = named_fields(input)?.into_iter().map(Shown::read);
    let fields = fields.collect::<syn::Result<Vec<Shown<'_>>>>()?;
    let (ident, name, about) = (&input.ident, input.ident.to_string(), doc(&input.attrs));
    let case = container.case;
    let differs = container.differs_by_viewer;
    let sent = || fields.iter().filter(|field| !field.is_etag);
    let schema = sent().map(|field| field.schema(case));
    let writes = sent().map(|field| field.write(case));
    let serializes = sent().map(|field| field.serialize(case));
    let version = version(&fields).map(|version| {
        quote! {
            fn version(&self) -> ::core::option::Option<u64> {
                #version
            }
        }
    });
    let listed = container.list.as_ref().map(|list| {
        quote! {
            #[automatically_derived]
            impl ::monotable_kit::Listed for #ident {
                const LIST: &'static str = #list;
            }
        }
    });
    let of = container.of.as_ref().map(|row| {
        let values = fields.iter().map(Shown::copy);
        quote! {
            impl #ident {
                /// Returns the view of a row.
                pub(crate) fn of(row: &#row) -> Self {
                    Self { #(#values),* }
                }
            }
        }
    });
    Ok(quote! {
        #[automatically_derived]
        impl ::monotable_kit::View for #ident {
            const DIFFERS_BY_VIEWER: bool = #differs;

            fn schema() -> ::monotable_kit::Schema {
                let mut fields: ::std::vec::Vec<::monotable_kit::Field> = ::std::vec::Vec::new();
                #(#schema)*
                ::monotable_kit::Schema::object(#name, fields).about(#about)
            }

            fn write(&self, fields: &mut ::monotable_kit::ViewFields) {
                #(#writes)*
            }

            fn serialize_fields<M: ::monotable_kit::codegen::SerializeMap>(
                &self,
                map: &mut M,
            ) -> ::core::result::Result<(), M::Error> {
                #(#serializes)*
                ::core::result::Result::Ok(())
            }

            #version
        }

        #[automatically_derived]
        impl ::monotable_kit::FieldType for #ident {
            fn kind() -> ::monotable_kit::Kind {
                ::monotable_kit::Kind::Object(<Self as ::monotable_kit::View>::schema())
            }
        }

        #[automatically_derived]
        impl ::monotable_kit::codegen::Serialize for #ident {
            fn serialize<S: ::monotable_kit::codegen::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                ::monotable_kit::codegen::serialize_view(self, serializer)
            }
        }

        #listed
        #of
    })
}

/// Returns the version of the view: its own field, its stamps, or that of the first versioned or flattened view that
/// has one.
fn version(fields: &[Shown<'_>]) -> Option<TokenStream> {
    if let Some(own) = fields.iter().find(|field| field.is_version) {
        let ident = own.declared.ident;
        return Some(quote!(::core::convert::Into::into(self.#ident)));
    }
    if let Some(stamps) = fields.iter().find(|field| field.is_stamps) {
        let ident = stamps.declared.ident;
        return Some(quote!(::monotable_kit::codegen::stamped_version(&self.#ident)));
    }
    let mut flat = fields.iter().filter(|field| field.is_flat || field.is_versioned).map(|field| {
        let ident = field.declared.ident;
        quote!(::monotable_kit::View::version(&self.#ident))
    });
    let first = flat.next()?;
    Some(quote!(#first #(.or_else(|| #flat))*))
}

impl Container {
    fn read(input: &DeriveInput) -> syn::Result<Self> {
        let mut container =
            Self { case: Case::Camel, of: None, list: None, differs_by_viewer: false };
        each(&input.attrs, "view", |meta| {
            if meta.path.is_ident("case") {
                container.case = Case::read(&meta)?;
            } else if meta.path.is_ident("of") {
                container.of = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("list") {
                container.list = Some(text(&meta)?);
            } else if meta.path.is_ident("differs_by_viewer") {
                container.differs_by_viewer = true;
            } else {
                return Err(meta.error("a view has `case`, `of`, `list` and `differs_by_viewer`"));
            }
            Ok(())
        })?;
        Ok(container)
    }
}

impl<'a> Shown<'a> {
    fn read(field: &'a Field) -> syn::Result<Self> {
        let mut shown = Self {
            declared: Declared::new(field)?,
            is_null: false,
            is_version: false,
            is_etag: false,
            is_versioned: false,
            is_secret: false,
            is_flat: false,
            is_stamps: false,
            is_absent: false,
            from: None,
        };
        each(&field.attrs, "view", |meta| {
            if meta.path.is_ident("null") {
                shown.is_null = true;
            } else if meta.path.is_ident("version") {
                shown.is_version = true;
            } else if meta.path.is_ident("versioned") {
                shown.is_versioned = true;
            } else if meta.path.is_ident("etag") {
                (shown.is_version, shown.is_etag) = (true, true);
            } else if meta.path.is_ident("secret") {
                shown.is_secret = true;
            } else if meta.path.is_ident("flatten") {
                shown.is_flat = true;
            } else if meta.path.is_ident("stamps") {
                shown.is_stamps = true;
            } else if meta.path.is_ident("absent") {
                shown.is_absent = true;
            } else if meta.path.is_ident("from") {
                shown.from = Some(meta.value()?.parse()?);
            } else if !shown.declared.read(&meta)? {
                return Err(meta.error(
                    "a field has `null`, `version`, `etag`, `versioned`, `secret`, `flatten`, `stamps`, `absent`, `from`, `name`, \
                     `kind` and `example`",
                ));
            }
            Ok(())
        })?;
        Ok(shown)
    }

    /// Adds the field to the schema.
    fn schema(&self, case: Case) -> TokenStream {
        let ty = self.declared.ty;
        if self.is_flat {
            return quote!(fields.extend(<#ty as ::monotable_kit::View>::schema().fields););
        }
        if self.is_stamps {
            return quote!(fields.extend(::monotable_kit::codegen::stamp_fields::<#ty>()););
        }
        let is_null = self.is_null;
        let is_required = quote!(#is_null || !<#ty as ::monotable_kit::FieldType>::IS_OPTIONAL);
        let field = self.declared.expand(case, &is_required);
        let nullable = is_null.then(|| quote!(.nullable()));
        quote!(fields.push(#field #nullable);)
    }

    /// Writes the value.
    fn write(&self, case: Case) -> TokenStream {
        let (ident, name) = (self.declared.ident, self.declared.name(case));
        if self.is_flat {
            return quote!(::monotable_kit::View::write(&self.#ident, fields););
        }
        if self.is_stamps {
            return quote!(::monotable_kit::codegen::write_stamps(&self.#ident, fields););
        }
        let function = match (self.is_secret, self.is_null) {
            (true, _) => quote!(secret),
            (false, true) => quote!(or_null),
            (false, false) => quote!(show),
        };
        quote!(fields.#function(#name, &self.#ident);)
    }

    /// Writes the value inside another one.
    fn serialize(&self, case: Case) -> TokenStream {
        let (ident, name) = (self.declared.ident, self.declared.name(case));
        if self.is_flat {
            return quote!(::monotable_kit::View::serialize_fields(&self.#ident, map)?;);
        }
        if self.is_stamps {
            return quote!(::monotable_kit::codegen::serialize_stamps(&self.#ident, map)?;);
        }
        if self.is_null {
            return quote!(map.serialize_entry(#name, &self.#ident)?;);
        }
        if is_option(self.declared.ty) {
            return quote! {
                if let ::core::option::Option::Some(value) = &self.#ident {
                    map.serialize_entry(#name, value)?;
                }
            };
        }
        quote!(::monotable_kit::codegen::serialize_field(map, #name, &self.#ident)?;)
    }

    /// Copies the value of the row.
    fn copy(&self) -> TokenStream {
        let (ident, ty) = (self.declared.ident, self.declared.ty);
        match &self.from {
            _ if self.is_absent => quote!(#ident: ::core::default::Default::default()),
            _ if self.is_flat => quote!(#ident: <#ty>::of(row)),
            Some(from @ (Expr::Call(_) | Expr::MethodCall(_))) => {
                quote!(#ident: ::core::convert::Into::into(row.#from))
            }
            Some(from) => quote!(#ident: ::core::convert::Into::into(row.#from.clone())),
            None => quote!(#ident: row.#ident.clone()),
        }
    }
}

/// Returns whether a type is written as an `Option`.
fn is_option(ty: &Type) -> bool {
    match ty {
        Type::Path(ty) => ty.path.segments.last().is_some_and(|last| last.ident == "Option"),
        _ => false,
    }
}
