//! The blind update of an entity: `PlayerUpdate`, with the setters that are safe.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::key;
use crate::entity::field::Field;
use crate::entity::model::Entity;
use crate::entity::setters::{Setter, obstacle, setters};

/// Returns the struct, its setters, and the function that begins an update.
pub(super) fn expand(entity: &Entity) -> TokenStream {
    let Entity { codegen, visibility, ident: of, .. } = entity;
    let (key, update) = (key::ident(entity), format_ident!("{of}Update"));
    let setters = setters(entity);
    let functions = setters.iter().map(|setter| function(entity, setter));
    let limits = match obstacle(entity) {
        Some(reason) => {
            format!("Nothing of it can be set without reading it, because {reason}: use `edit`.")
        }
        None => {
            "It sets what can be set without knowing the rest of the row. Everything else, fields \
                 of keys and unique values above all, changes through `edit`."
                .to_owned()
        }
    };
    let doc = format!("A change of a [`{of}`] that is not read first.\n\n{limits}");
    let operation = operation(entity);
    let begin = format!("Begins a change of the [`{of}`] with this key.");
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #[must_use = "an update does nothing until it runs: `db.update(…)`, or `add` it to a transaction"]
        #visibility struct #update(#codegen::Update<#of>);

        #[allow(dead_code)]
        impl #of {
            #[doc = #begin]
            #visibility fn update(key: &#key) -> #update {
                #update(#codegen::Update::new(key))
            }
        }

        #[allow(
            dead_code,
            clippy::should_implement_trait,
            clippy::too_many_arguments,
            clippy::wrong_self_convention,
        )]
        impl #update {
            #(#functions)*

            /// Changes the row only if this holds.
            #visibility fn when(self, condition: #codegen::Condition<#of>) -> Self {
                Self(self.0.when(condition))
            }

            /// Creates the row if it is missing.
            #visibility fn or_create<E>(self) -> Self
            where
                Self: #codegen::IntoUpdate<Entity = E>,
                E: #codegen::Upsertable,
            {
                Self(self.0.or_create())
            }
        }

        #[automatically_derived]
        impl #codegen::IntoUpdate for #update {
            type Entity = #of;

            fn into_update(self) -> #codegen::Update<#of> {
                self.0
            }
        }

        #operation
    }
}

/// Makes an update an operation of the tables that contain its entity. As implementations of one
/// type they let the compiler name the entity that a table lacks.
pub(super) fn operation(entity: &Entity) -> TokenStream {
    let Entity { codegen, ident: of, .. } = entity;
    let update = format_ident!("{of}Update");
    quote! {
        #[automatically_derived]
        impl<__T: #codegen::Holds<#of>> #codegen::RowOperation<__T> for #update {
            type Output = ();

            fn into_planned(self) -> #codegen::Erased {
                let update = #codegen::IntoUpdate::into_update(self);
                #codegen::RowOperation::<__T>::into_planned(update)
            }
        }

        #[automatically_derived]
        impl<__T: #codegen::Holds<#of>> #codegen::Run<__T> for #update {
            type Output = #of;

            async fn run_in(
                self,
                context: &::std::sync::Arc<#codegen::Context>,
            ) -> #codegen::Result<#of> {
                let update = #codegen::IntoUpdate::into_update(self);
                #codegen::Run::<__T>::run_in(update, context).await
            }
        }
    }
}

fn function(entity: &Entity, setter: &Setter) -> TokenStream {
    let visibility = &entity.visibility;
    let field = |position: &u16| &entity.fields[usize::from(*position)];
    let bounds = bounds(entity, setter);
    let (doc, name, arguments, call) = match setter {
        Setter::Field(position) => {
            let Field { ident, declared, .. } = field(position);
            let value = converted(entity, field(position));
            let place = entity.position_of(field(position));
            let call = quote!(.set(#place, &#value));
            (sets(&[field(position)]), ident.clone(), quote!(value: #declared), call)
        }
        Setter::Counter(position) => {
            let name = &field(position).name;
            let doc = format!("Adds to `{name}`, whatever it is; a negative number takes away.");
            let function = format_ident!("{}", setter.name(entity));
            (doc, function, quote!(by: i64), quote!(.add(#position, by)))
        }
        Setter::Parts(positions) => {
            let fields: Vec<&Field> = positions.iter().map(field).collect();
            let name = match fields.as_slice() {
                [alone] => alone.ident.clone(),
                _ => format_ident!("{}", setter.name(entity)),
            };
            let (idents, types): (Vec<_>, Vec<_>) =
                fields.iter().map(|field| (&field.ident, &field.declared)).unzip();
            let calls = fields.iter().map(|field| set(entity, field));
            let doc = sets(&fields) + " The keys in indexes follow.";
            (doc, name, quote!(#(#idents: #types),*), quote!(#(#calls)*))
        }
    };
    let aliases = aliases(entity, setter);
    quote! {
        #[doc = #doc]
        #(#[doc(alias = #aliases)])*
        #visibility fn #name(self, #arguments) -> Self #bounds {
            Self(self.0 #call)
        }
    }
}

/// Returns that the stamps have what a function sets.
pub(super) fn bounds(entity: &Entity, setter: &Setter) -> Option<TokenStream> {
    let positions = match setter {
        Setter::Field(position) | Setter::Counter(position) => std::slice::from_ref(position),
        Setter::Parts(positions) => positions,
    };
    let fields = positions.iter().map(|position| &entity.fields[usize::from(*position)]);
    let bounds: Vec<_> = fields.filter_map(|field| entity.stamp_bound(field)).collect();
    (!bounds.is_empty()).then(|| quote!(where #(#bounds),*))
}

/// Returns the fields that have no setter of their own because of this one: the compiler suggests
/// it where one of theirs is called.
fn aliases<'e>(entity: &'e Entity, setter: &Setter) -> Vec<&'e str> {
    let name = |position: &u16| entity.fields[usize::from(*position)].name.as_str();
    match setter {
        Setter::Counter(position) => vec![name(position)],
        Setter::Parts(positions) if positions.len() > 1 => positions.iter().map(name).collect(),
        Setter::Parts(_) | Setter::Field(_) => Vec::new(),
    }
}

/// Returns the argument of a setter, converted by the field's own serde function.
fn converted(entity: &Entity, field: &Field) -> TokenStream {
    let Some(serializer) = &field.serializer else { return quote!(value) };
    let (codegen, declared) = (&entity.codegen, &field.declared);
    quote!({
        struct __Value<'a>(&'a #declared);
        impl #codegen::Serialize for __Value<'_> {
            fn serialize<S: #codegen::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                #serializer(self.0, serializer)
            }
        }
        __Value(&value)
    })
}

/// Returns the call that sets one part. If a type is not valid in a key, the error is at the type.
fn set(entity: &Entity, field: &Field) -> TokenStream {
    let (ident, span) = (&field.ident, field.declared.span());
    let position = entity.position_of(field);
    if field.is_optional {
        quote_spanned!(span=> .set_part_optional(#position, #ident.as_ref()))
    } else {
        quote_spanned!(span=> .set_part(#position, &#ident))
    }
}

/// "Sets `a` and `b`; `None` removes."
fn sets(fields: &[&Field]) -> String {
    let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
    let removal =
        if fields.iter().any(|field| field.is_optional) { "; `None` removes" } else { "" };
    format!("Sets {}{removal}.", names.join(" and "))
}
