//! `Entity`, `RowSet`, and the marker traits that permit operations on an entity.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{at, key, meta, respan};
use crate::entity::field::{Field, Marks, Stamps};
use crate::entity::model::Entity;
use crate::entity::parse::Mirror;

/// Returns the implementations.
pub(super) fn expand(entity: &Entity) -> TokenStream {
    let Entity { codegen, ident, .. } = entity;
    let (key, meta) = (key::ident(entity), meta::expand(entity));
    let names = entity.key_fields().into_iter().map(|(_, field)| &field.ident).collect::<Vec<_>>();
    let stamps = stamps(entity);
    let version = version(entity);
    let stamp = stamp(entity);
    let expires_at = expires_at(entity);
    let mirrors = mirrors(entity);
    let markers = markers(entity);
    quote! {
        #[automatically_derived]
        impl #codegen::Entity for #ident {
            const META: &'static #codegen::EntityMeta = &#meta;

            type Key = #key;

            fn key(&self) -> Self::Key {
                #key { #(#names: ::core::clone::Clone::clone(&self.#names)),* }
            }

            #stamps
            #version
            #stamp
            #expires_at
            #mirrors
        }

        #[automatically_derived]
        impl #codegen::RowSet for #ident {
            const ENTITIES: &'static [&'static #codegen::EntityMeta] =
                &[<Self as #codegen::Entity>::META];

            fn decode(
                _position: usize,
                row: #codegen::Row,
                key: &#codegen::ParsedParts,
            ) -> #codegen::Result<Self> {
                #codegen::decode_entity::<Self>(row, key)
            }
        }

        #markers
    }
}

fn find(entity: &Entity, mark: impl Fn(&Marks) -> bool) -> Option<&Field> {
    entity.own_fields().iter().find(|field| mark(&field.marks))
}

fn stamps(entity: &Entity) -> Option<TokenStream> {
    let (codegen, Stamps { ident, declared, .. }) = (&entity.codegen, entity.stamps.as_ref()?);
    let set = respan(quote!(<#declared as #codegen::StampSet>), declared.span());
    Some(quote! {
        fn stamps(&self) -> ::core::option::Option<#codegen::StampValues> {
            ::core::option::Option::Some(#set::values(&self.#ident))
        }

        fn set_stamps(&mut self, stamps: #codegen::StampValues) {
            #set::set_values(&mut self.#ident, stamps);
        }
    })
}

fn version(entity: &Entity) -> Option<TokenStream> {
    let ident = &find(entity, |marks| marks.version.is_some())?.ident;
    Some(quote! {
        fn version(&self) -> ::core::option::Option<u64> {
            ::core::option::Option::Some(self.#ident)
        }

        fn set_version(&mut self, version: u64) {
            self.#ident = version;
        }
    })
}

/// Returns the stamps take any type that is made of a `Timestamp`: itself, `EpochSeconds`, an `Option`.
fn stamp(entity: &Entity) -> Option<TokenStream> {
    let codegen = &entity.codegen;
    let set = |field: &Field| {
        let ident = &field.ident;
        let from = quote_spanned!(at(&field.declared)=> ::core::convert::From::from(now));
        quote!(self.#ident = #from;)
    };
    let created = find(entity, |marks| marks.created.is_some()).map(|field| {
        let set = set(field);
        quote!(if moment == #codegen::Moment::Created { #set })
    });
    let updated = find(entity, |marks| marks.updated.is_some()).map(set);
    if created.is_none() && updated.is_none() {
        return None;
    }
    Some(quote! {
        #[allow(clippy::useless_conversion)]
        fn stamp(&mut self, now: #codegen::Timestamp, moment: #codegen::Moment) {
            let _ = moment;
            #created
            #updated
        }
    })
}

/// Reports L01 at the type of the field, by the trait that it lacks.
fn expires_at(entity: &Entity) -> Option<TokenStream> {
    let codegen = &entity.codegen;
    let field = find(entity, |marks| marks.ttl.is_some())?;
    let (ident, declared) = (&field.ident, &field.declared);
    let span = declared.span();
    let expiry = respan(quote!(#codegen::Expiry), span);
    let expiry = quote_spanned!(span=> <#declared as #expiry>::expiry);
    Some(quote! {
        fn expires_at(&self) -> ::core::option::Option<#codegen::EpochSeconds> {
            #expiry(&self.#ident)
        }
    })
}

fn mirrors(entity: &Entity) -> Option<TokenStream> {
    if entity.mirrors.is_empty() {
        return None;
    }
    let codegen = &entity.codegen;
    let rows = (0_u16..).zip(&entity.mirrors).map(|(position, mirror)| match mirror {
        Mirror::Same(_) => quote!(sink.same(self, #position)?;),
        Mirror::Other(other) => quote! {
            sink.other(<#other as #codegen::MirrorOf<Self>>::mirror_of(self))?;
        },
    });
    Some(quote! {
        fn mirrors(&self, sink: &mut #codegen::MirrorSink<'_>) -> #codegen::Result<()> {
            #(#rows)*
            ::core::result::Result::Ok(())
        }
    })
}

fn markers(entity: &Entity) -> TokenStream {
    let Entity { codegen, ident, .. } = entity;
    let version = entity.fields.iter().find(|field| field.marks.version.is_some());
    let is_editable = version.is_some() || entity.allows("W03");
    // Whether stamps have a version is known to the compiler.
    let bound = version.filter(|_| !entity.allows("W03"));
    let bound = bound.and_then(|version| entity.stamp_bound(version));
    let markers = [
        (entity.allows("W01"), quote!(Replaceable), None),
        (entity.allows("W02"), quote!(Upsertable), None),
        (is_editable, quote!(Editable), bound),
    ];
    let markers = markers.into_iter().filter(|(applies, ..)| *applies);
    markers
        .map(|(_, marker, bound)| {
            let bound = bound.map(|bound| quote!(where #bound));
            quote!(#[automatically_derived] impl #codegen::#marker for #ident #bound {})
        })
        .collect()
}
