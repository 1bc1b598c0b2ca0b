//! The declaration as a constant: `EntityMeta`.

use monotable_design::stamp::Stamp;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::Type;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use super::{respan, wire};
use crate::entity::field::{Field, Marks, Stamps};
use crate::entity::model::{Entity, Unique};
use crate::entity::parse::{Index, Key, Mirror, Shards};
use crate::template::KeyTemplate;
use crate::types;

/// Returns the constant.
pub(super) fn expand(entity: &Entity) -> TokenStream {
    let Entity { codegen, ident, doc, type_name, .. } = entity;
    let name = ident.unraw().to_string();
    let codec = entity.codec.expand(codegen);
    let parts = entity.part_fields();
    let fields = (0..).zip(entity.own_fields()).map(|(position, described)| {
        let is_part = parts.iter().any(|(part, _)| *part == position);
        field(entity, described, is_part)
    });
    let fields = with_stamps(entity, quote!(&[#(#fields),*]), &codec);
    let key = key(entity, &entity.key);
    let indexes = entity.indexes.iter().map(|declared| index(entity, declared));
    let unique = entity.unique.iter().map(|declared| unique(entity, declared));
    let mirrors = entity.mirrors.iter().map(|declared| mirror(entity, declared));
    let version = marked(entity, Stamp::Version, |marks| marks.version);
    let ttl = marked(entity, Stamp::Expires, |marks| marks.ttl);
    let created = marked(entity, Stamp::Created, |marks| marks.created);
    let updated = marked(entity, Stamp::Updated, |marks| marks.updated);
    let rule = option(entity.rule.as_ref().map(|rule| {
        let meta = quote!(<#rule as #codegen::RuleKey>::META);
        respan(meta, rule.span())
    }));
    let allows = entity.allows.iter().map(|allow| allow.expand(codegen));
    // With the location of the name, `line!` returns its line instead of that of the derive.
    let file = respan(quote!(::core::file!()), ident.span());
    let line = respan(quote!(::core::line!()), ident.span());
    quote!(#codegen::EntityMeta {
        name: #name,
        doc: #doc,
        type_name: #type_name,
        codec: #codec,
        fields: #fields,
        key: #key,
        indexes: &[#(#indexes),*],
        unique: &[#(#unique),*],
        mirrors: &[#(#mirrors),*],
        version: #version,
        ttl: #ttl,
        created: #created,
        updated: #updated,
        rule: #rule,
        allows: &[#(#allows),*],
        location: #codegen::Location { file: #file, line: #line },
    })
}

/// Returns the fields, followed by the stamps that the compiler finds in their type.
fn with_stamps(entity: &Entity, own: TokenStream, codec: &TokenStream) -> TokenStream {
    let Some(Stamps { declared, .. }) = &entity.stamps else { return own };
    let (codegen, count) = (&entity.codegen, entity.own_fields().len());
    let stamps = stamp_set(entity, declared, &quote!(FIELDS));
    quote!({
        const ALL: [#codegen::FieldMeta; #count + #stamps.len()] =
            #codegen::with_stamps(#own, #stamps, #codec);
        &ALL
    })
}

/// Returns a constant of the stamps. If the type is not a set of stamps, the error is at the type.
fn stamp_set(entity: &Entity, declared: &Type, constant: &TokenStream) -> TokenStream {
    let codegen = &entity.codegen;
    respan(quote!(<#declared as #codegen::StampSet>::#constant), declared.span())
}

/// Returns the position of the field that has a mark, or of the stamp.
fn marked(entity: &Entity, stamp: Stamp, mark: fn(&Marks) -> Option<Span>) -> TokenStream {
    let own = entity.own_fields();
    let position = (0_u16..).zip(own).find(|(_, field)| mark(&field.marks).is_some());
    match (position, &entity.stamps) {
        (Some((position, _)), _) => option(Some(quote!(#position))),
        (None, None) => option(None),
        (None, Some(Stamps { declared, .. })) => {
            let (codegen, count) = (&entity.codegen, own.len());
            let stamp = format_ident!("{stamp:?}");
            let stamps = stamp_set(entity, declared, &quote!(FIELDS));
            quote!(#codegen::stamp_position(#stamps, #count, #codegen::Stamp::#stamp))
        }
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn field(entity: &Entity, field: &Field, is_part: bool) -> TokenStream {
    let codegen = &entity.codegen;
    let Field { name, attribute, aliases, doc, is_required, marks, .. } = field;
    let rust_type = types::text(&field.declared);
    let wire_type = wire::expand(field, is_part, codegen);
    let is_immutable = marks.immutable.is_some();
    let is_counter = marks.counter.is_some();
    let is_envelope = matches!(entity.codec, crate::codec::Codec::Envelope(_));
    let is_top_level = is_envelope && field.is_outside_data();
    let is_key_only = marks.key_only.is_some();
    let is_value = marks.value.is_some();
    let copy_of = option(marks.copy.as_ref().map(|copy| {
        let (entity, field) = (&copy.entity, &copy.field);
        quote!(#codegen::CopyMeta { entity: #entity, field: #field })
    }));
    quote!(#codegen::FieldMeta {
        name: #name,
        attribute: #attribute,
        aliases: &[#(#aliases),*],
        rust_type: #rust_type,
        wire_type: #wire_type,
        is_required: #is_required,
        is_immutable: #is_immutable,
        is_counter: #is_counter,
        is_top_level: #is_top_level,
        is_key_only: #is_key_only,
        is_value: #is_value,
        stamp: ::core::option::Option::None,
        copy_of: #copy_of,
        doc: #doc,
    })
}

fn template(entity: &Entity, template: &KeyTemplate) -> TokenStream {
    template.expand(&entity.codegen, |name| entity.slot(name))
}

fn templates(entity: &Entity, declared: &[KeyTemplate]) -> TokenStream {
    let templates = declared.iter().map(|declared| template(entity, declared));
    quote!(&[#(#templates),*])
}

fn shards(entity: &Entity, declared: &Option<Shards>) -> TokenStream {
    let codegen = &entity.codegen;
    option(declared.as_ref().and_then(|shards| {
        let (count, by) = (shards.count, entity.position(&shards.by.to_string())?);
        Some(quote!(#codegen::ShardMeta { count: #count, by: #by }))
    }))
}

fn key(entity: &Entity, key: &Key) -> TokenStream {
    let codegen = &entity.codegen;
    let partition = template(entity, &key.partition);
    let sort = option(key.sort.as_ref().map(|sort| template(entity, sort)));
    let shards = shards(entity, &key.shards);
    quote!(#codegen::KeyMeta { partition: #partition, sort: #sort, shards: #shards })
}

fn index(entity: &Entity, index: &Index) -> TokenStream {
    let codegen = &entity.codegen;
    let name = index.name.to_string();
    let partition = templates(entity, &index.partition);
    let sort = templates(entity, &index.sort);
    let is_sparse = index.is_sparse;
    let shards = shards(entity, &index.shards);
    quote!(#codegen::EntityIndexMeta {
        index: #name,
        partition: #partition,
        sort: #sort,
        is_sparse: #is_sparse,
        shards: #shards,
    })
}

fn unique(entity: &Entity, unique: &Unique) -> TokenStream {
    let codegen = &entity.codegen;
    let Unique { name, is_released, .. } = unique;
    let names: Vec<String> = unique.fields.iter().map(ToString::to_string).collect();
    let fields = names.iter().filter_map(|name| entity.position(name));
    let is_sparse =
        names.iter().any(|name| entity.field(name).is_some_and(|field| field.is_optional));
    let partition = template(entity, &unique.partition);
    let sort = template(entity, &unique.sort);
    quote!(#codegen::UniqueMeta {
        name: #name,
        fields: &[#(#fields),*],
        is_sparse: #is_sparse,
        partition: #partition,
        sort: #sort,
        is_released: #is_released,
    })
}

fn mirror(entity: &Entity, mirror: &Mirror) -> TokenStream {
    let codegen = &entity.codegen;
    let (name, key) = match mirror {
        Mirror::Same(declared) => (entity.ident.unraw().to_string(), Some(key(entity, declared))),
        Mirror::Other(path) => (
            path.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default(),
            None,
        ),
    };
    let key = option(key);
    quote!(#codegen::MirrorMeta { entity: #name, key: #key })
}
