//! Writes a table: the type, its constants, the enum of its rows, and the checks of its rules.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Ident, LitStr};

use super::Name;
use super::parse::{Table, TypeAttribute};
use crate::diagnostics::respan;
use crate::doc;
use crate::patterns::location;
use crate::patterns::rows::RowEnum;

impl Table {
    /// Returns the code. Rules are checked only when everything could be read, because a part that is missing
    /// would break others.
    pub(crate) fn expand(&self, is_whole: bool) -> TokenStream {
        let Self { codegen, attributes, visibility, name, parts } = self;
        let row = format_ident!("{name}Row");
        let row_enum = RowEnum {
            name: &row,
            visibility,
            doc: format!("Any row of [`{name}`]."),
            members: &parts.entities,
        };
        let rows = row_enum.expand(codegen);
        let meta = self.meta(is_whole);
        let keys = self.keys();
        let functions = self.functions(&row);
        let holds = parts.entities.iter().map(|member| {
            let path = &member.path;
            respan(quote!(impl #codegen::Holds<#path> for #name {}), member.span())
        });
        let holds_rules = parts
            .rules
            .iter()
            .map(|path| respan(quote!(impl #codegen::HoldsRule<#path> for #name {}), path.span()));
        let reads = parts
            .patterns
            .iter()
            .map(|path| respan(quote!(impl #codegen::Reads<dyn #path> for #name {}), path.span()));
        let checks = is_whole.then(|| self.checks());
        let stamps = parts.stamps.iter().map(|stamps| stamps.expand(codegen, visibility));
        quote! {
            #(#attributes)*
            #visibility struct #name;
            impl #codegen::Table for #name {
                const META: &'static #codegen::TableMeta = &#meta;
                const KEYS: &'static #codegen::TableMeta = &#keys;
                type Row = #row;
            }
            #functions
            #(#holds)*
            #(#holds_rules)*
            #(#reads)*
            #(#stamps)*
            #rows
            #checks
        }
    }

    /// Returns the constant `TableMeta`. Without a partition key it is marked so that no pattern is
    /// checked against it.
    fn meta(&self, is_whole: bool) -> TokenStream {
        let Self { codegen, attributes, name, parts, .. } = self;
        let (text, doc) = (name.unraw().to_string(), doc::of(attributes));
        let missing = Name { text: String::new(), span: Span::call_site() };
        let (partition, sort) = match &parts.key {
            Some((partition, sort)) if is_whole => (partition, sort.as_ref()),
            _ => (&missing, None),
        };
        let sort = optional(sort.map(|sort| quote!(#sort)));
        let table_name = parts.table_name.as_ref().map(LitStr::value).unwrap_or_default();
        let type_attribute = match &parts.type_attribute {
            Some(TypeAttribute::Named(attribute)) => quote!(Named(#attribute)),
            Some(TypeAttribute::ByKey) | None => quote!(ByKey),
        };
        let ttl = optional(parts.ttl.as_ref().map(|ttl| quote!(#ttl)));
        let codec = optional(parts.codec.as_ref().map(|codec| codec.expand(codegen)));
        let indexes = parts.indexes.iter().map(|index| index.expand(codegen, partition));
        let members = parts.entities.iter().map(|member| &member.path);
        let entities = quote!(&[#(<#members as #codegen::Entity>::META),*]);
        let count = parts.entities.len();
        let rules = parts
            .rules
            .iter()
            .map(|path| respan(quote!(<#path as #codegen::RuleKey>::META), path.span()));
        let rules = quote!(&[#(#rules),*]);
        let pattern_sets = parts
            .patterns
            .iter()
            .map(|path| respan(quote!(<dyn #path as #codegen::PatternSet>::META), path.span()));
        let targets = parts.targets.iter().map(|target| target.expand(codegen));
        let allows = parts.allows.iter().map(|allow| allow.expand(codegen));
        let allows = quote!(&[#(#allows),*]);
        let location = location(codegen, name);
        quote!(#codegen::TableMeta {
            name: #text,
            doc: #doc,
            table_name: #table_name,
            partition_key: #partition,
            sort_key: #sort,
            type_attribute: #codegen::TypeAttribute::#type_attribute,
            ttl_attribute: #ttl,
            codec: #codec,
            indexes: &[#(#indexes),*],
            entities: #entities,
            shared_keys: {
                const SHARED: #codegen::check::SharedKeys<#count> =
                    #codegen::check::SharedKeys::of(#entities, #rules, #allows);
                SHARED.entities()
            },
            rules: #rules,
            pattern_sets: &[#(#pattern_sets),*],
            targets: &[#(#targets),*],
            allows: #allows,
            location: #location,
        })
    }

    /// Returns the constant with the keys of the entities only.
    fn keys(&self) -> TokenStream {
        let Self { codegen, parts, .. } = self;
        let members = parts.entities.iter().map(|member| &member.path);
        quote!(#codegen::TableMeta {
            entities: &[#(&<#members as #codegen::Entity>::META.keys()),*],
            ..<Self as #codegen::Table>::META.frame()
        })
    }

    /// Returns what can be done with the table before it is open.
    fn functions(&self, row: &Ident) -> TokenStream {
        let Self { codegen, visibility, name, .. } = self;
        quote! {
            #[allow(dead_code)]
            impl #name {
                /// Opens the table on a backend: checks that the backend can do what the model needs,
                /// and creates the table in the same process, or verifies it elsewhere.
                ///
                /// # Errors
                ///
                /// The backend lacks a capability, or the existing table differs from the
                /// declaration.
                #visibility async fn open(
                    backend: impl #codegen::Backend,
                ) -> #codegen::Result<#codegen::Store<Self>> {
                    Self::settings().open(backend).await
                }

                /// Settings to open the table with: the environment, the key of cursors, and others.
                #visibility fn settings() -> #codegen::Settings<Self> {
                    ::core::default::Default::default()
                }

                /// Reads an item of the table, such as the image of a stream record; `None` if it is a
                /// row of no entity.
                ///
                /// # Errors
                /// If the item is a row of an entity, and its attributes do not fit.
                #visibility fn decode(
                    item: #codegen::Item,
                ) -> #codegen::Result<::core::option::Option<#row>> {
                    #codegen::decode_row::<Self>(item)
                }

                /// The design as a value: what documents and tools are made from.
                #visibility fn design() -> #codegen::Design {
                    #codegen::Design::of(<Self as #codegen::Table>::META)
                }
            }
        }
    }

    /// Returns that the table, its indexes and its entities keep the rules.
    fn checks(&self) -> TokenStream {
        let Self { codegen, name, parts, .. } = self;
        let meta = quote!(<#name as #codegen::Table>::META);
        let keys = quote!(<#name as #codegen::Table>::KEYS);
        let table = respan(quote!(#codegen::check::table(#meta).assert()), name.span());
        let entities = parts.entities.iter().enumerate().map(|(position, member)| {
            let is_near = quote!(const { #codegen::check::is_near(#keys, #position) });
            let check = quote!(#codegen::check::entity_if_near(#meta, #position, #is_near));
            respan(quote!(#check.assert()), member.span())
        });
        let indexes = parts.indexes.iter().enumerate().map(|(position, index)| {
            let check = quote!(#codegen::check::index(#meta, #position).assert());
            respan(check, index.name.span)
        });
        let rules = parts.rules.iter().enumerate().map(|(position, path)| {
            respan(quote!(#codegen::check::rule(#meta, #position).assert()), path.span())
        });
        let checks = std::iter::once(table).chain(indexes).chain(entities).chain(rules);
        quote! {
            #(
                #[allow(long_running_const_eval)]
                const _: () = #checks;
            )*
        }
    }
}

fn optional(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
