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
mod rule;
mod serde_attributes;
mod table;
mod template;
mod types;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Declares a type of row: its key, its keys in indexes, and the rows derived from it.
///
/// ```ignore
/// #[derive(Entity, Clone, Serialize, Deserialize)]
/// #[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
/// #[index(GSI4: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
/// pub struct Player {
///     pub team_id: TeamId,
///     pub player_id: PlayerId,
///     pub user_id: Option<UserId>,
///     #[stamps]
///     #[serde(skip)]
///     pub stamps: Stamps,
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
/// - `#[entity(type = "…", codec = …, module = "…", rule = KEY, allow(RULE, because = "…"))]`; `rule` names the
///   rule key whose rows the entity reads.
///
/// On fields:
///
/// - `#[stamps]` with `#[serde(skip)]`: version, time of creation, time of the last change and expiry, as
///   `stamps NAME(…)` of the `table!` declares them. In templates they are `{created}`, `{updated}` and
///   `{expires}`, in conditions `player::version()` and so on.
/// - `#[version]`, `#[created]`, `#[updated]` and `#[ttl]`: the same as single fields that serde writes,
///   for rows that have them elsewhere: in the JSON text of an envelope or in another type.
/// - `#[counter]`, `#[immutable]`, `#[copy(Entity.field)]`, `#[key_only]`, `#[top]` and `#[value]`.
///
/// The derive adds the struct `PlayerKey`, the update `Player::update(&key)` with the setters that are
/// safe without reading the row, and the paths `player::number()` for conditions.
#[proc_macro_derive(
    Entity,
    attributes(
        entity, key, index, unique, mirror, stamps, version, ttl, created, updated, counter,
        immutable, copy, key_only, top, value
    )
)]
pub fn entity(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    entity::derive(&input).into()
}

/// Declares a typed id: `pub struct TeamId(String);`. It is never empty and contains no character
/// that could make a key ambiguous.
#[proc_macro_derive(Id)]
pub fn id(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    id::derive(&input).into()
}

/// Declares typed ids, each as `#[derive(Id)]` does, with the order, the hash and the form in serde of their
/// texts.
///
/// ```ignore
/// ids! {
///     /// A team.
///     TeamId,
///     /// A player of a team.
///     PlayerId,
///     pub(crate) RowId,
/// }
/// ```
///
/// They are public unless another visibility is written.
#[proc_macro]
pub fn ids(input: TokenStream) -> TokenStream {
    id::ids(input.into()).into()
}

/// Declares an enum whose variants are words in keys, named as serde names them.
#[proc_macro_derive(KeyWord)]
pub fn key_word(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    key_word::derive(&input).into()
}

/// Declares the key of a rule that is kept as a row: a guard, a counter, a lock, a rate window, an
/// idempotency record, a log, a job or a record.
///
/// ```ignore
/// /// The game that a team plays now.
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME", value = gameId)]
/// pub struct ActiveGame {
///     pub team_id: TeamId,
/// }
/// ```
///
/// `#[rule(…)]` begins with the kind: `Guard`, `Counter`, `Lock`, `RateWindow`, `Idempotency`, `Log`, `Job` or
/// `Record`; a key may have several, apart from `RateWindow` and `Log`. Then:
///
/// - `pk = "…", sk = "…"`: the templates. `{window}` is the number of a rate window, and `{seq:06}` that of an
///   event in a log.
/// - `snapshot = "…"`: the sort key of a log's snapshot.
/// - `value = v`, `version = ver`, `expiry = ttl`, `lease = lease`, `sequence = seq`: the attributes, where they
///   have other names than these; `formerly = …`: where an older program kept the value of a record.
/// - `type = "…"`: what the type attribute of the rows contains; the kind in upper case unless set.
/// - `allow(RULE, because = "…")`.
///
/// The key makes its rule: `ActiveGame { team_id }.guard()`. A table lists it in `rules(…)`.
#[proc_macro_derive(RuleKey, attributes(rule))]
pub fn rule_key(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    rule::derive(&input).into()
}

/// Declares a value that is folded from the rows of one query.
#[proc_macro_derive(Aggregate, attributes(aggregate))]
pub fn aggregate(input: TokenStream) -> TokenStream {
    aggregate::derive(input.into()).into()
}

/// Declares a table: its name, its keys and indexes, the stamps of its rows, and its entities.
///
/// `stamps Stamps(version = ver, created = createdAt, updated = updatedAt);` declares the type of a field
/// with `#[stamps]`: a struct of the stamps that are named (`version`, `created`, `updated`, `expires`), each
/// with its attribute. Names that an attribute had before follow it: `created = createdAt | created_at`.
#[proc_macro]
pub fn table(input: TokenStream) -> TokenStream {
    table::table(input.into()).into()
}

/// Declares stamps outside a table, for entities that other crates list in their tables.
///
/// `stamps!(pub JobStamps(version = ver, created = createdAt));` makes the struct that the statement `stamps` of
/// [`table!`] makes.
#[proc_macro]
pub fn stamps(input: TokenStream) -> TokenStream {
    table::stamps(input.into()).into()
}

/// Declares the access patterns of a table as the functions of a trait.
#[proc_macro_attribute]
pub fn access_patterns(arguments: TokenStream, item: TokenStream) -> TokenStream {
    patterns::access_patterns(arguments.into(), item.into()).into()
}
