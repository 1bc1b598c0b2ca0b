//! Writes a trait of access patterns: the trait, its constants, the enums of mixed results, and the
//! implementation for the store of the table.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{FnArg, Ident, ReturnType};

use super::arguments::{Argument, Role};
use super::options::Operation;
use super::parse::{Pattern, PatternSet};
use super::returns::{Element, Shape};
use super::rows::RowEnum;
use crate::diagnostics::respan;
use crate::doc;
use crate::template::{KeyTemplate, Slot};
use crate::types;

impl PatternSet {
    /// Returns the code. Rules are checked only when everything could be read, because a part that is missing
    /// would break others.
    pub(crate) fn expand(&self, is_whole: bool) -> TokenStream {
        let codegen = &self.codegen;
        let declaration = self.declaration();
        let enums = self.patterns.iter().filter_map(|pattern| self.row_enum(pattern));
        let set = self.meta();
        let implementation = self.implementation();
        let checks = is_whole.then(|| self.checks());
        let name = &self.declared.ident;
        quote! {
            #declaration
            #(#enums)*
            impl #codegen::PatternSet for dyn #name {
                const META: &'static #codegen::PatternSetMeta = &#set;
            }
            #implementation
            #checks
        }
    }

    /// Returns the trait with the functions as they are called.
    fn declaration(&self) -> TokenStream {
        let mut declared = self.declared.clone();
        for pattern in &self.patterns {
            let mut function = pattern.function.clone();
            let returns = pattern.returns.expand();
            function.sig.output = ReturnType::Type(
                syn::token::RArrow::default(),
                Box::new(syn::Type::Verbatim(returns)),
            );
            declared.items.push(syn::TraitItem::Fn(function));
        }
        declared.items.extend(self.broken.iter().cloned().map(syn::TraitItem::Fn));
        quote!(#declared)
    }

    fn row_enum(&self, pattern: &Pattern) -> Option<TokenStream> {
        let Element::Several(name, members) = &pattern.returns.element else { return None };
        let doc = format!("A row of [`{}::{}`].", self.declared.ident, pattern.name());
        let visibility = &self.declared.vis;
        Some(RowEnum { name, visibility, doc, members }.expand(&self.codegen))
    }

    /// Returns the constant `PatternSetMeta`.
    fn meta(&self) -> TokenStream {
        let codegen = &self.codegen;
        let (name, doc) = (self.declared.ident.unraw().to_string(), doc::of(&self.declared.attrs));
        let patterns = self.patterns.iter().map(|pattern| pattern.meta(codegen));
        quote!(#codegen::PatternSetMeta { name: #name, doc: #doc, patterns: &[#(#patterns),*] })
    }

    /// Returns the constant of one pattern, as an expression.
    fn pattern(&self, position: usize) -> TokenStream {
        let (codegen, name) = (&self.codegen, &self.declared.ident);
        quote!(&<dyn #name as #codegen::PatternSet>::META.patterns[#position])
    }

    fn implementation(&self) -> TokenStream {
        let Self { codegen, table, declared, patterns, broken } = self;
        let name = &declared.ident;
        let broken = broken.iter().map(|function| {
            let signature = &function.sig;
            quote!(#[allow(unused_variables)] #signature { ::core::unreachable!() })
        });
        let functions = patterns.iter().enumerate().map(|(position, pattern)| {
            let constant = self.pattern(position);
            let table = quote!(<#table as #codegen::Table>::META);
            let route = quote!(const { &#codegen::Route::new(#table, #constant) });
            let body = pattern.body(codegen, &route);
            let mut signature = pattern.function.sig.clone();
            let returns = pattern.returns.expand();
            signature.output = ReturnType::Type(
                syn::token::RArrow::default(),
                Box::new(syn::Type::Verbatim(returns)),
            );
            quote!(#signature { #body })
        });
        quote! {
            impl #name for #codegen::Store<#table> { #(#functions)* #(#broken)* }
        }
    }

    /// Returns that the table lists the trait, and that every pattern keeps the rules.
    fn checks(&self) -> TokenStream {
        let Self { codegen, table, declared, patterns, .. } = self;
        let name = &declared.ident;
        let listed = respan(quote!(#codegen::listed::<#table, dyn #name>()), name.span());
        let checks = patterns.iter().enumerate().map(|(position, pattern)| {
            let constant = self.pattern(position);
            let table = quote!(<#table as #codegen::Table>::KEYS);
            let check = quote!(#codegen::check::pattern(#table, #constant).assert());
            let check = respan(check, pattern.name().span());
            quote! {
                #[allow(long_running_const_eval)]
                const _: () = #check;
            }
        });
        quote!(const _: () = #listed; #(#checks)*)
    }
}

impl Pattern {
    /// Returns the constant `PatternMeta`.
    fn meta(&self, codegen: &TokenStream) -> TokenStream {
        let options = &self.options;
        let (name, doc) = (self.name().unraw().to_string(), doc::of(&self.function.attrs));
        let operation = match self.operation {
            Operation::Get => format_ident!("Get"),
            Operation::Query => format_ident!("Query"),
            Operation::BatchGet => format_ident!("BatchGet"),
            Operation::Scan => format_ident!("Scan"),
        };
        let index = optional(options.index.as_ref());
        let entities = self.returns.entities(codegen);
        let arguments = self.arguments.iter().map(|argument| {
            let name = argument.name.unraw().to_string();
            let rust_type = types::text(&argument.declared);
            let filter = optional(self.filter_attribute(codegen, argument).as_ref());
            quote!(#codegen::ArgumentMeta { name: #name, rust_type: #rust_type, filter: #filter })
        });
        let template = |template: &KeyTemplate| template.expand(codegen, |name| self.slot(name));
        let partition = options.partition.iter().map(template);
        let sort = options.sort.iter().map(|test| test.expand(codegen, template));
        let unique = optional(self.unique(codegen).as_ref());
        let presence = options.presence.iter().map(|test| test.expand(codegen, &entities));
        let shape = self.returns.shape.expand(codegen);
        let is_descending = options.has("descending");
        let is_consistent = options.has("consistent") || options.unique.is_some();
        let is_admin = options.has("admin");
        let shards = optional(options.shards.map(|(count, _)| count).as_ref());
        let limit = optional(options.limit.as_ref());
        let items_max = optional(options.items_max.as_ref());
        let requests_per_second = optional(options.requests_per_second.as_ref());
        let allows = options.allows.iter().map(|allow| allow.expand(codegen));
        let location = location(codegen, self.name());
        quote!(#codegen::PatternMeta {
            name: #name,
            doc: #doc,
            operation: #codegen::Operation::#operation,
            index: #index,
            arguments: &[#(#arguments),*],
            partition: &[#(#partition),*],
            sort: &[#(#sort),*],
            unique: #unique,
            presence: &[#(#presence),*],
            returns: #entities,
            shape: #shape,
            is_descending: #is_descending,
            is_consistent: #is_consistent,
            shards: #shards,
            limit: #limit,
            items_max: #items_max,
            requests_per_second: #requests_per_second,
            is_admin: #is_admin,
            allows: &[#(#allows),*],
            location: #location,
        })
    }

    /// Returns the attribute that an argument filters by, as a constant expression.
    fn filter_attribute(&self, codegen: &TokenStream, argument: &Argument) -> Option<TokenStream> {
        let Role::Filter(field) = &argument.role else { return None };
        let (entities, field) = (self.returns.entities(codegen), field.unraw().to_string());
        Some(quote!(#codegen::check::filter_attribute(#entities, #field)))
    }

    /// Returns the constant `UniqueValue`: every argument is a field of it.
    fn unique(&self, codegen: &TokenStream) -> Option<TokenStream> {
        let constraint = self.options.unique.as_ref()?.unraw().to_string();
        let fields = self.arguments.iter().filter_map(|argument| {
            let (name, slot) = (argument.name.unraw().to_string(), argument.slot()?);
            let (text, Slot { position, part_type, .. }) = (format!("{{{name}}}"), slot);
            Some(quote!(#codegen::Template {
                text: #text,
                segments: &[#codegen::Segment::Field {
                    name: #name,
                    position: #position,
                    pad: 0,
                    kind: <#part_type as #codegen::KeyPart>::KIND,
                    is_optional: false,
                }],
            }))
        });
        Some(quote!(#codegen::UniqueValue { constraint: #constraint, fields: &[#(#fields),*] }))
    }

    fn slot(&self, name: &str) -> Option<Slot<'_>> {
        let is_named = |argument: &&Argument| argument.name.unraw() == name;
        self.arguments.iter().find(is_named).and_then(Argument::slot)
    }

    /// Returns the request that the function makes; `route` is the pattern's own, as a constant.
    fn body(&self, codegen: &TokenStream, route: &TokenStream) -> TokenStream {
        let function = self.returns.shape.function();
        // The token of the declaration: another one is another variable where a macro makes the trait.
        let this = match self.function.sig.inputs.first() {
            Some(FnArg::Receiver(receiver)) => receiver.self_token,
            _ => syn::token::SelfValue::default(),
        };
        let names = |is_wanted: fn(&Role) -> bool| {
            let arguments = self.arguments.iter().filter(move |argument| is_wanted(&argument.role));
            arguments.map(|argument| &argument.name)
        };
        if self.returns.shape == Shape::Many {
            let keys = names(|role| matches!(role, Role::Keys));
            return quote!(#codegen::#function(#this, #route, #(#keys),*));
        }
        let keys = names(|role| matches!(role, Role::Key(..)));
        if self.options.unique.is_some() {
            return quote!(#codegen::owner(#this, #route, &[#(&#keys),*]));
        }
        let filters = self.arguments.iter().filter_map(|argument| {
            let (name, attribute) = (&argument.name, self.filter_attribute(codegen, argument)?);
            Some(quote!(#codegen::filter(const { #attribute }, &#name)))
        });
        quote!(#codegen::#function(#this, #route, &[#(&#keys),*], &[#(#filters),*]))
    }
}

/// `Some` or `None` of what can be written.
fn optional(value: Option<&impl quote::ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// Returns the source location of a declaration.
pub(crate) fn location(codegen: &TokenStream, name: &Ident) -> TokenStream {
    let location = quote!(#codegen::Location { file: ::core::file!(), line: ::core::line!() });
    respan(location, name.span())
}
