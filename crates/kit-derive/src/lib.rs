//! The macros of the service kit: bodies, views, paths, words, refusals and operations.
//!
//! Each macro reads one declaration and emits the implementation of a trait of `monotable-kit`. What a
//! request or a response is like is decided there, not here.

mod attributes;
mod body;
mod field;
mod naming;
mod object;
mod operation;
mod path;
mod refusal;
mod view;
mod words;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemFn, parse_macro_input};

/// Declares a request body, or the query parameters of an operation.
///
/// Fields have camelCase names in JSON; `#[body(case = "snake")]` on the struct keeps their names. A field that
/// is an `Option` can be left out, and a `Patch` can also be null. Doc comments become descriptions.
///
/// | on a field | |
/// |---|---|
/// | `length = 1..=50` | characters of a text |
/// | `range = 1..=99` | the range of a number |
/// | `items = 0..=4` | elements of a list |
/// | `unique` | no element of the list is repeated |
/// | `words = WORDS` | the words that a text can be |
/// | `kind = EXPRESSION` | any other `Kind` |
/// | `check = names::team` | a function `fn(&str) -> Result<String, String>` (for a list `fn(&[T]) -> …`) that returns the value in its form, or what is wrong with it; reported with all other wrong fields |
/// | `name = "…"`, `alias("…", …)` | its name in JSON, and names that older clients use |
/// | `label = "…"` | what forms call it, if not by its name |
/// | `default` | the type's default where the field is left out |
/// | `flatten` | the fields of another body, in the same object; of that body only the fields count |
/// | `not_applied` | `apply` leaves the field to the code: see `applies_to` |
/// | `example = …` | a value for the documentation; required fields have one by their type, but for texts |
///
/// | on the struct | |
/// |---|---|
/// | `read_only("…", …)` | fields that exist and cannot be written |
/// | `read_only_of = TeamView` | all fields of a view that are not fields of the body cannot be written |
/// | `applies_to = Team` | also makes `fn apply(&self, row: &mut Team)`, which sets the fields of the same names that the request names |
/// | `check = rules` | a function `fn(&Map<String, Value>) -> Vec<FieldProblem>` that returns what is wrong with several fields together; reported with all other wrong fields |
/// | `not_empty` | an object without any field is refused |
/// | `paged` | also takes `limit` and `nextToken`: see `Request::page` |
#[proc_macro_derive(Body, attributes(body))]
pub fn body(input: TokenStream) -> TokenStream {
    expand(body::derive, parse_macro_input!(input as DeriveInput))
}

/// Declares the body of a response: a list of what is sent. A field that is not declared is never sent.
///
/// Names, descriptions and examples follow the rules of `Body`. Absent values are left out.
///
/// | on a field | |
/// |---|---|
/// | `null` | sent as null where it is absent |
/// | `version` | the version of the resource: it becomes the `ETag` |
/// | `etag` | the same, but not sent as a field |
/// | `versioned` | a view whose version becomes the `ETag` |
/// | `secret` | sent, but kept encrypted in idempotency records |
/// | `flatten` | the fields of another view, in the same object; of an `Option`, if there is one |
/// | `stamps` | the version and the times of a row, under the names that the `table!` gives them |
/// | `absent` | not a field of the row: `of` leaves it at its default |
/// | `from = stamps.created` | the field of the row, or `from = method()` one of its methods, with `of` |
/// | `name`, `example`, `kind` | as in `Body` |
///
/// | on the struct | |
/// |---|---|
/// | `of = Team` | also makes `TeamView::of(&team)`, which copies the fields of the same names |
/// | `list = "teams"` | the name of the list in pages |
/// | `differs_by_viewer` | callers see one version differently, so that the `ETag` depends on the body |
#[proc_macro_derive(View, attributes(view))]
pub fn view(input: TokenStream) -> TokenStream {
    expand(view::derive, parse_macro_input!(input as DeriveInput))
}

/// Lets a struct with serde's `Serialize` and `Deserialize` be a field of bodies and views: what is stored is
/// also what is sent. Its own implementations decide how it is read and written; this derive gives the schema.
///
/// Fields have `#[field(…)]` with the settings of `Body`: `length`, `range`, `items`, `unique`, `words`, `kind`,
/// `name`, `alias`, `default` and `example`. On the struct, `case` is as in `Body`, and `default` lets
/// all fields be left out.
#[proc_macro_derive(FieldType, attributes(field))]
pub fn field_type(input: TokenStream) -> TokenStream {
    expand(object::derive, parse_macro_input!(input as DeriveInput))
}

/// Declares the values of a path: `{gameId}` is the field `game_id`.
#[proc_macro_derive(Path)]
pub fn path(input: TokenStream) -> TokenStream {
    expand(path::derive, parse_macro_input!(input as DeriveInput))
}

/// Lets an enum without values be a field of bodies and views, and implements the trait of the same name, which reads
/// and writes its words: those of serde.
#[proc_macro_derive(Words, attributes(serde))]
pub fn words(input: TokenStream) -> TokenStream {
    expand(words::derive, parse_macro_input!(input as DeriveInput))
}

/// Declares the refusals of a service: one variant for each code.
///
/// `#[refusal(conflict)]` sets the kind of the problem (`invalid`, `forbidden`, `not_found`,
/// `conflict`, …), the doc comment is the text for clients, and the code is the name of the variant
/// in capitals, or `code = "…"`.
#[proc_macro_derive(Refusal, attributes(refusal))]
pub fn refusal(input: TokenStream) -> TokenStream {
    expand(refusal::derive, parse_macro_input!(input as DeriveInput))
}

/// Declares an operation: `#[operation(POST "/teams/{teamId}/seasons", once, refuses(TeamDeleted))]`.
///
/// The function takes `&App` and `&Call<Path, Body, Query>` and returns `Answer<…>`. Its doc
/// comment is the summary, its name in camelCase the id of the operation. It stays callable; the
/// macro adds a function `route()`, so a module contains one operation.
///
/// | | |
/// |---|---|
/// | `once` | takes an `Idempotency-Key`; `once_required` also requires it |
/// | `if_match`, `if_none_match` | takes that header |
/// | `public` | also for callers without a token |
/// | `programs_only` | refuses requests of browsers |
/// | `reads_only` | changes nothing, whatever its method |
/// | `foreign_forms` | takes forms of pages of other sites, which prove by a field where they are from |
/// | `queue = game_id` | requests with the same value in the path wait for each other |
/// | `no_repeat` | reports a version conflict instead of running again, because callers mean what they saw |
/// | `limit(LIMIT, subject)` | a `CallLimit`, and a function that makes the subject of a call: a user, an address |
/// | `headers("x-signature")` | headers that the function reads, in lower case |
/// | `body_bytes_max = 65_536` | the size of the body |
/// | `refuses(NotAMember, scope::GAME)` | variants of `Refusal`, and lists of them |
#[proc_macro_attribute]
pub fn operation(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments = parse_macro_input!(arguments as operation::Arguments);
    operation::expand(arguments, parse_macro_input!(item as ItemFn))
        .unwrap_or_else(|error| error.into_compile_error())
        .into()
}

fn expand(
    derive: fn(&DeriveInput) -> syn::Result<proc_macro2::TokenStream>,
    input: DeriveInput,
) -> TokenStream {
    derive(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}
