//! `#[derive(Aggregate)]`: a struct that is folded from the rows of one query.
//!
//! The type of a field determines the number of rows of its entity: `Team` one, `Option<Game>` at
//! most one, `Vec<Player>` any number.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Fields, Ident, Type};

use crate::crate_path::CratePath;
use crate::diagnostics::Errors;
use crate::patterns::rows::{Member, RowEnum, unique};
use crate::types::{option_inner, vector_inner};

/// One field.
struct Field {
    name: Ident,
    member: Member,
    multiplicity: Multiplicity,
}

/// How many rows of its entity a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Multiplicity {
    One,
    AtMostOne,
    Any,
}

/// Returns the expansion of the derive, or the errors of the declaration with what stands for it.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = errors.take(syn::parse2::<DeriveInput>(input)) else {
        return errors.into_tokens();
    };
    match read(&input, &mut errors) {
        Some(fields) if errors.is_empty() => expand(&input, &fields),
        _ => {
            let mut tokens = stub(&input);
            tokens.extend(errors.into_tokens());
            tokens
        }
    }
}

/// Returns an aggregate of nothing, so that a pattern that returns it is not an error, too.
fn stub(input: &DeriveInput) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let codegen = CratePath::default().codegen();
    let (name, visibility) = (&input.ident, &input.vis);
    let (row, text) = (format_ident!("{name}Row"), name.to_string());
    quote! {
        #[allow(dead_code)]
        #visibility enum #row {}

        impl #codegen::RowSet for #row {
            const ENTITIES: &'static [&'static #codegen::EntityMeta] =
                &[&#codegen::EntityMeta::unreadable(#text)];

            fn decode(
                _: usize,
                _: #codegen::Row,
                _: &#codegen::ParsedParts,
            ) -> #codegen::Result<Self> {
                ::core::unreachable!()
            }
        }

        impl #codegen::Aggregate for #name {
            type Row = #row;

            fn fold(
                _: ::std::vec::Vec<Self::Row>,
            ) -> #codegen::Result<::core::option::Option<Self>> {
                ::core::unreachable!()
            }
        }
    }
}

fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Vec<Field>> {
    let name = &input.ident;
    if !input.generics.params.is_empty() {
        let message = "an aggregate has no type parameters";
        errors.add(syn::Error::new_spanned(&input.generics, message));
    }
    let fields = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) if !fields.named.is_empty() => &fields.named,
            _ => return refuse(name, errors),
        },
        _ => return refuse(name, errors),
    };
    let fields: Vec<Field> = fields
        .iter()
        .filter_map(|field| {
            let (multiplicity, entity) = multiplicity(&field.ty);
            let member = errors.take(Member::of(entity))?;
            Some(Field { name: field.ident.clone()?, member, multiplicity })
        })
        .collect();
    let members = fields.iter().map(|field| field.member.clone()).collect();
    unique(members, &format!("aggregate `{name}`"), errors);
    Some(fields)
}

fn refuse<T>(name: &Ident, errors: &mut Errors) -> Option<T> {
    let message = format!(
        "an aggregate is a struct with named fields: \
         `struct {name} {{ team: Team, players: Vec<Player> }}`"
    );
    errors.push(name.span(), message);
    None
}

fn multiplicity(declared: &Type) -> (Multiplicity, &Type) {
    match (option_inner(declared), vector_inner(declared)) {
        (Some(entity), _) => (Multiplicity::AtMostOne, entity),
        (None, Some(entity)) => (Multiplicity::Any, entity),
        (None, None) => (Multiplicity::One, declared),
    }
}

fn expand(input: &DeriveInput, fields: &[Field]) -> TokenStream {
    let codegen = CratePath::default().codegen();
    let (name, visibility) = (&input.ident, &input.vis);
    let row = format_ident!("{name}Row");
    let members: Vec<Member> = fields.iter().map(|field| field.member.clone()).collect();
    let doc = format!("A row that [`{name}`] is folded from.");
    let rows = RowEnum { name: &row, visibility, doc, members: &members }.expand(&codegen);
    let fold = fold(name, fields, &codegen);
    quote! {
        #rows
        impl #codegen::Aggregate for #name {
            type Row = #row;
            fn fold(
                rows: ::std::vec::Vec<Self::Row>,
            ) -> #codegen::Result<::core::option::Option<Self>> {
                #fold
            }
        }
    }
}

fn fold(name: &Ident, fields: &[Field], codegen: &TokenStream) -> TokenStream {
    let what = name.to_string();
    let names: Vec<&Ident> = fields.iter().map(|field| &field.name).collect();
    let starts = fields.iter().map(|field| match field.multiplicity {
        Multiplicity::Any => quote!(::std::vec::Vec::new()),
        Multiplicity::One | Multiplicity::AtMostOne => quote!(::core::option::Option::None),
    });
    let arms = fields.iter().map(|Field { name, member, multiplicity }| {
        let variant = &member.variant;
        let message = format!("there is more than one {variant}");
        match multiplicity {
            Multiplicity::Any => quote!(Self::Row::#variant(row) => #name.push(row)),
            Multiplicity::One | Multiplicity::AtMostOne => quote! {
                Self::Row::#variant(row) => if #name.replace(row).is_some() {
                    return ::core::result::Result::Err(#codegen::Error::Fold {
                        what: #what,
                        message: ::std::string::String::from(#message),
                    });
                }
            },
        }
    });
    let required: Vec<&Ident> = fields
        .iter()
        .filter(|field| field.multiplicity == Multiplicity::One)
        .map(|field| &field.name)
        .collect();
    let nothing = quote!(return ::core::result::Result::Ok(::core::option::Option::None));
    let emptiness = required.is_empty().then(|| quote!(if rows.is_empty() { #nothing; }));
    quote! {
        #emptiness
        #(let mut #names = #starts;)*
        for row in rows {
            match row { #(#arms),* }
        }
        #(let ::core::option::Option::Some(#required) = #required else { #nothing };)*
        ::core::result::Result::Ok(::core::option::Option::Some(Self { #(#names),* }))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::derive;
    use crate::diagnostics::messages;

    fn check(tokens: &str, expected: &Expect) {
        expected.assert_eq(&messages(derive(tokens.parse().unwrap())));
    }

    #[test]
    fn a_field_holds_one_entity() {
        check("struct View { team: Team, players: Vec<Player>, next: Option<Game> }", &expect![""]);
        check("struct View { team: (Team, Player) }", &expect!["expected the name of an entity"]);
        check(
            "struct View { home: Team, away: Team }",
            &expect!["aggregate `View` has `Team` twice; remove one of them"],
        );
    }

    #[test]
    fn only_structs_with_named_fields_are_aggregates() {
        let expected = expect![
            "an aggregate is a struct with named fields: `struct View { team: Team, players: Vec<Player> }`"
        ];
        check("enum View { Team(Team) }", &expected);
        check("struct View(Team);", &expected);
        check("struct View {}", &expected);
    }
}
