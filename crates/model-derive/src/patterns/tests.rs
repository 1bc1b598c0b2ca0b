//! Messages about declarations of access patterns.

use expect_test::{Expect, expect};

use super::access_patterns;
use crate::diagnostics::messages;

/// Checks the messages of a trait with these functions, one a line.
fn check(functions: &str, expected: Expect) {
    let item = format!("pub trait Reads {{ {functions} }}");
    let expanded = access_patterns("League".parse().unwrap(), item.parse().unwrap());
    expected.assert_eq(&messages(expanded));
}

#[test]
fn sound_patterns_have_no_errors() {
    check(
        r##"
        #[get(pk = "TEAM#{team_id}", sk = "METADATA", consistent)]
        fn team(&self, team_id: &TeamId) -> One<Team>;
        #[query(pk = "TEAM#{team_id}", rows = TeamAndRoster)]
        fn team_page(&self, team_id: &TeamId) -> Rows<(Team, Player)>;
        #[query(index = GSI6, pk = ["{a}", "{b}"], sk = ["{c}", "d#{d}"..="d#{e}"], limit = 20, items_max = 40, rps = 3)]
        fn several(&self, a: &str, b: A, c: C, d: D, e: E, #[filter] status: Status, #[filter(kind)] wanted: Option<Kind>) -> All<Team>;
        #[query(pk = "TEAM#{team_id}#{shard}", filter(exists(number), absent(r#type)), shards = 8, allow(P05, because = "few"))]
        fn view(&self, team_id: &TeamId) -> monotable::Fold<TeamView>;
        #[get(pk = "{type}")]
        fn r#match(&self, r#type: &str) -> One<Team>;
        #[get(unique = name)]
        fn team_named(&self, name: &str) -> One<Team>;
        #[batch_get(consistent)]
        fn teams(&self, keys: &[TeamKey]) -> Many<Team>;
        #[scan(admin)]
        fn dump(&self) -> Rows<LeagueRow>;
        "##,
        expect![[r#""#]],
    );
}

#[test]
fn reads_of_everything_are_refused() {
    check(
        r##"
        #[query(index = GSI1)] fn all(&self) -> Rows<Team>;
        #[get(sk = "METADATA")] fn one(&self) -> One<Team>;
        #[scan] fn dump(&self) -> Rows<Team>;
        "##,
        expect![[r#"
            [P01] pattern `all` has no partition key; it would read the whole table, and cost more with every row in it; give it one with `pk = "…"`, or write `#[scan(admin)]` if only administrators run it
            [P01] pattern `one` has no partition key; it would read the whole table, and cost more with every row in it; give it one with `pk = "…"`, or write `#[scan(admin)]` if only administrators run it
            [P01] pattern `dump` is a scan; it would read the whole table, and cost more with every row in it; query a partition instead, or write `#[scan(admin)]` if only administrators run it"#]],
    );
}

#[test]
fn arguments_are_key_parts_or_filters() {
    check(
        r##"
        #[query(pk = "TEAM#{team_id}")]
        fn unmarked(&self, team_id: &TeamId, status: Status) -> Rows<Team>;
        #[query(pk = "TEAM#{team_id}")]
        fn filtered_key(&self, #[filter] team_id: &TeamId) -> Rows<Team>;
        #[query(pk = "TEAM#{team_id}")]
        fn optional(&self, team_id: Option<TeamId>) -> Rows<Team>;
        #[query(pk = "TEAM#{teamid}")]
        fn misspelt(&self, team_id: &TeamId) -> Rows<Team>;
        #[query(pk = "TEAM#1")]
        fn nameless(&self, (a, b): (A, B)) -> Rows<Team>;
        #[get(pk = "TEAM#{team_id}")]
        fn filtered_get(&self, team_id: &TeamId, #[filter] name: &str) -> One<Team>;
        #[get(unique = name, pk = "TEAM#{name}")]
        fn two_keys(&self, name: &str) -> One<Team>;
        "##,
        expect![[r#"
            [P02] argument `status` of pattern `unmarked` is part of no key; a filter drops rows after they were read and paid for, and does not narrow the read; put it into a key template, or mark it `#[filter]` to accept the cost
            argument `team_id` of pattern `filtered_key` is part of the key, so there is nothing left to filter; remove `#[filter]`
            [K11] argument `team_id` of pattern `optional` may be absent; DynamoDB refuses a row whose key is empty or missing; take the value itself, without `Option`
            [T001] the key of pattern `misspelt` uses `{teamid}`, but the function has no such argument; did you mean `team_id`?
            an argument of a pattern needs a name
            a `get` reads one row, so there is nothing to filter; look at the row, or make the read a `query`
            `unique` finds the row by its value; remove `pk` and `sk`"#]],
    );
}

#[test]
fn a_batch_takes_keys() {
    check(
        r##"
        #[batch_get] fn none(&self) -> Many<Team>;
        #[batch_get] fn one(&self, key: &TeamKey) -> Many<Team>;
        #[batch_get] fn two(&self, keys: &[TeamKey], more: &[TeamKey]) -> Many<Team>;
        "##,
        expect![[r#"
            a `batch_get` has one argument, the keys: `keys: &[TeamKey]`
            a `batch_get` has one argument, the keys: `keys: &[TeamKey]`
            a `batch_get` has one argument, the keys: `keys: &[TeamKey]`"#]],
    );
}

#[test]
fn options_are_known_and_given_once() {
    check(
        r##"
        #[query(pk = "A", indx = GSI1, pk = "B", limit = 0, descending, sk = contains("a"))]
        fn several_errors(&self) -> Rows<Team>;
        #[get(pk = "A", descending)] fn not_for_get(&self) -> One<Team>;
        #[query(pk = "A" sk = "B")] fn comma(&self) -> Rows<Team>;
        #[query = "A"] fn no_list(&self) -> Rows<Team>;
        #[query(pk = "A", allow(P05))] fn no_reason(&self) -> Rows<Team>;
        #[query(pk = "A", filter())] fn no_filter(&self) -> Rows<Team>;
        #[query(pk = "A", filter(missing(a)))] fn other_filter(&self) -> Rows<Team>;
        #[query(pk = "A", filter(exists(a, b)))] fn two_fields(&self) -> Rows<Team>;
        "##,
        expect![[r#"
            `query` has no option `indx` (it takes index, pk, sk, filter, descending, consistent, limit, items_max, shards, rps, rows, allow); did you mean `index`?
            `pk` is given twice
            expected at least 1
            a condition on the sort key is a template, `begins_with("…")`, `"…"..="…"`, `"…"..`, `..="…"`, `after("…")` or `before("…")`
            `get` has no option `descending` (it takes pk, sk, unique, consistent, rps, rows, allow)
            expected a comma
            write the options in parentheses: `#[query(…)]`
            an exception needs its reason, which is printed in the design document: write `allow(P05, because = "…")`
            a filter of the pattern is `exists(field)` or `absent(field)`; a filter by a value is an argument: `#[filter] status: Status`
            a filter of the pattern is `exists(field)` or `absent(field)`; a filter by a value is an argument: `#[filter] status: Status`
            a filter of the pattern is `exists(field)` or `absent(field)`; a filter by a value is an argument: `#[filter] status: Status`"#]],
    );
}

#[test]
fn results_are_requests() {
    check(
        r##"
        #[get(pk = "A")] fn bare(&self) -> Team;
        #[get(pk = "A")] fn nothing(&self);
        #[get(pk = "A")] fn rows(&self) -> Rows<Team>;
        #[batch_get] fn one(&self, keys: &[K]) -> One<Team>;
        #[query(pk = "A")] fn vector(&self) -> Vec<Team>;
        #[query(pk = "A")] fn two(&self) -> Rows<Team, Player>;
        #[query(pk = "A")] fn twice(&self) -> Rows<(Team, other::Team)>;
        #[query(pk = "A")] fn generic(&self) -> Rows<(Team, Player<u8>)>;
        #[query(pk = "A")] fn fold(&self) -> Fold<(Team, Player)>;
        #[query(pk = "A", rows = Name)] fn unnamed(&self) -> Rows<Team>;
        #[query(pk = "A")] fn team(&self) -> Rows<(Team, Player)>;
        #[query(pk = "A")] fn all(&self) -> Rows<(Team, Player)>;
        #[get(unique = name)] fn owner(&self, name: &str) -> One<(Team, Player)>;
        "##,
        expect![[r#"
            pattern `bare` must return `One<…>`: `#[get]` supports no other result
            pattern `nothing` must return `One<…>`: `#[get]` supports no other result
            pattern `rows` must return `One<…>`: `#[get]` supports no other result
            pattern `one` must return `Many<…>`: `#[batch_get]` supports no other result
            pattern `vector` must return `One<…>`, `Rows<…>`, `All<…>` or `Fold<…>`: `#[query]` supports no other result
            pattern `two` must return `One<…>`, `Rows<…>`, `All<…>` or `Fold<…>`: `#[query]` supports no other result
            the result of `twice` has `Team` twice; remove one of them
            an entity has no type parameters
            `Fold` takes a struct with `#[derive(Aggregate)]`; for the rows themselves return `Rows` or `All`
            `rows` names the enum of several entities; this pattern returns one type
            the enum of the rows of `team` would be called `Team`, like an entity in it; name it with `rows = TeamItem`
            the enum of the rows of `all` would be called `All`, like what patterns return; name it with `rows = AllItem`
            pattern `owner` finds the owner of a unique value, which is one entity: return `One<…>` of it alone"#]],
    );
}

#[test]
fn functions_are_plain_declarations() {
    check(
        r##"
        #[get(pk = "A")] async fn asynchronous(&self) -> One<Team>;
        #[get(pk = "{id}")] fn generic<T>(&self, id: T) -> One<Team>;
        #[get(pk = "A")] fn with_body(&self) -> One<Team> { todo!() }
        #[get(pk = "A")] fn no_self() -> One<Team>;
        #[cfg(unix)] #[get(pk = "A")] fn conditional(&self) -> One<Team>;
        #[get(pk = "A")] fn by_value(self) -> One<Team>;
        fn no_attribute(&self) -> One<Team>;
        #[get(pk = "A")] #[query(pk = "A")] fn two_attributes(&self) -> One<Team>;
        type Other;
        "##,
        expect![[r#"
            write `fn asynchronous` without `async`: the request that it returns is awaited
            an access pattern has no type parameters; lifetimes are elided
            pattern `with_body` needs no body: it is made of its attribute
            pattern `no_self` needs `&self` as its first argument
            an access pattern is part of the design in every build; remove the condition
            pattern `by_value` needs `&self` as its first argument
            pattern `no_attribute` must say once what it reads: `#[get(…)]`, `#[query(…)]`, `#[batch_get]` or `#[scan(admin)]`
            pattern `two_attributes` must say once what it reads: `#[get(…)]`, `#[query(…)]`, `#[batch_get]` or `#[scan(admin)]`
            a trait of access patterns has functions only"#]],
    );
}

#[test]
fn shards_are_declared_where_they_are_used() {
    check(
        r##"
        #[query(pk = "A#{shard}")] fn uncounted(&self) -> Rows<Team>;
        #[query(pk = "A", shards = 8)] fn missing(&self) -> Rows<Team>;
        #[get(pk = "A#{shard}")] fn get(&self) -> One<Team>;
        "##,
        expect![[r#"
            `{shard}` needs to know how many there are: add `shards = 8`, the same number as on the entity
            `shards` needs a `{shard}` in the template of the partition key
            `{shard}` is for queries only, which read all shards as one"#]],
    );
}

#[test]
fn the_table_is_named() {
    let empty = access_patterns("".parse().unwrap(), "trait Reads {}".parse().unwrap());
    expect!["name the table: `#[access_patterns(League)]`"].assert_eq(&messages(empty));
    let generic = access_patterns("League".parse().unwrap(), "trait Reads<T> {}".parse().unwrap());
    expect!["a trait of access patterns has no type parameters"].assert_eq(&messages(generic));
}

#[test]
fn names_of_the_store_and_open_types_are_refused() {
    check(
        r##"
        #[query(pk = "A")] fn delete(&self) -> Rows<Team>;
        #[query(pk = "A#{id}")] fn of(&self, id: impl AsRef<str>) -> Rows<Team>;
        "##,
        expect![[r#"
            `delete` is a function of the store itself, which `db.delete(…)` would call instead; give the pattern another name
            an access pattern has no type parameters; lifetimes are elided"#]],
    );
}

/// The functions of `impl Store` in the sources of the model.
fn store_functions(folder: &std::path::Path, found: &mut std::collections::BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            store_functions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap();
            for item in file.items {
                let syn::Item::Impl(block) = item else { continue };
                if block.trait_.is_some() || crate::types::last_word(&block.self_ty) != "Store" {
                    continue;
                }
                found.extend(block.items.iter().filter_map(|item| match item {
                    syn::ImplItem::Fn(function)
                        if matches!(function.vis, syn::Visibility::Public(_))
                            && function.sig.receiver().is_some() =>
                    {
                        Some(function.sig.ident.to_string())
                    }
                    _ => None,
                }));
            }
        }
    }
}

#[test]
fn every_name_of_the_store_is_known() {
    let model = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/src");
    let mut found = std::collections::BTreeSet::new();
    store_functions(&model, &mut found);
    let known: Vec<&str> = super::parse::STORE_FUNCTIONS.to_vec();
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), known);
}
