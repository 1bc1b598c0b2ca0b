//! The macros of Monotable's modelling layer.
//!
//! Each macro reads a declaration into a model first and collects every error on the way; only then
//! does it write code. Generated code talks to the library's hidden module `codegen` and to nothing
//! else. Rules that need more than one declaration are not here: they run on the generated constants
//! (`monotable_design::check`).

mod aggregate;
mod allow;
mod codec;
mod crate_path;
mod diagnostics;
mod doc;
mod entity;
mod id;
mod key_word;
mod patterns;
mod serde_attributes;
mod table;
mod template;
mod types;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// A type of row: its key, its keys in indexes, and what is kept with it.
///
/// ```ignore
/// #[derive(Entity, Clone, Serialize, Deserialize)]
/// #[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
/// #[index(GSI4: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
/// pub struct Player {
///     pub team_id: TeamId,
///     pub player_id: PlayerId,
///     pub user_id: Option<UserId>,
///     #[version]
///     pub ver: u64,
/// }
/// ```
///
/// On the struct:
///
/// - `#[key(pk = "…", sk = "…")]`: the templates of the primary key.
/// - `#[index(NAME: pk = "…", sk = "…")]`: those of an index; `sparse` when rows may stay out of it,
///   `shards = 8, by = field` with a `{shard}` in `pk` to spread a partition, `pk = ["…", "…"]` for
///   keys of several attributes.
/// - `#[unique(field, …)]`: no two rows have the same values; `name`, `pk`, `sk`, `release = never`.
/// - `#[mirror(pk = "…", sk = "…")]`, `#[mirror(Other)]`: a second row in the same transaction.
/// - `#[entity(type = "…", codec = …, module = "…", allow(RULE, because = "…"))]`.
///
/// On fields: `#[version]`, `#[ttl]`, `#[created]`, `#[updated]`, `#[counter]`, `#[immutable]`,
/// `#[copy(Entity.field)]`, `#[key_only]`, `#[top]` and `#[value]`.
///
/// The derive adds the struct `PlayerKey`, the update `Player::update(&key)` with the setters that are
/// safe without reading the row, and the paths `player::number()` for conditions.
#[proc_macro_derive(
    Entity,
    attributes(
        entity, key, index, unique, mirror, version, ttl, created, updated, counter, immutable,
        copy, key_only, top, value
    )
)]
pub fn entity(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    entity::derive(&input).into()
}

/// A typed id: `pub struct TeamId(String);`. It is never empty and has no character that could make a
/// key ambiguous.
#[proc_macro_derive(Id)]
pub fn id(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    id::derive(&input).into()
}

/// An enum whose variants are words in keys, named as serde names them.
#[proc_macro_derive(KeyWord)]
pub fn key_word(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    key_word::derive(&input).into()
}

/// A value folded from the rows of one query.
#[proc_macro_derive(Aggregate, attributes(aggregate))]
pub fn aggregate(input: TokenStream) -> TokenStream {
    aggregate::derive(input.into()).into()
}

/// A table: its name, its keys and indexes, and the entities that live in it.
#[proc_macro]
pub fn table(input: TokenStream) -> TokenStream {
    table::table(input.into()).into()
}

/// The access patterns of a table as the functions of a trait.
#[proc_macro_attribute]
pub fn access_patterns(arguments: TokenStream, item: TokenStream) -> TokenStream {
    patterns::access_patterns(arguments.into(), item.into()).into()
}
