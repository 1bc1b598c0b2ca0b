//! I03, I12, D02, R01: the table as a whole.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{allow, index, pattern, player, table, team};
use crate::meta::{IndexKind, IndexMeta, PatternMeta, Projection, Target, TypeAttribute};

fn reading(name: &'static str) -> PatternMeta {
    PatternMeta { index: Some(name), ..pattern("all_teams", "TEAMS", None, &[]) }
}

#[test]
fn i03_an_index_has_a_reader() {
    check(
        check::index(&table(&[], &[index("GSI1")], &[]), 0),
        expect![
            "[I03] index GSI1 of League is used by no pattern; every write pays for it and nothing reads it; remove the index, or declare the pattern that needs it"
        ],
    );
    let allowed = IndexMeta { allows: allow("I03"), ..index("GSI1") };
    fine(check::index(&table(&[], &[allowed], &[]), 0));
    fine(check::index(&table(&[], &[index("GSI1")], &[reading("GSI1")]), 0));
}

#[test]
fn i12_counts_stay_within_the_limits() {
    let many = |count: usize, kind: IndexKind| -> Vec<IndexMeta> {
        let names = (1..=count).map(|number| &*String::leak(format!("GSI{number}")));
        names.map(|name| IndexMeta { kind, allows: allow("I03"), ..index(name) }).collect()
    };
    check(
        check::table(&table(&[], &many(21, IndexKind::Global), &[])),
        expect![
            "[I12] League has 21 global indexes, and at most 20 are possible; DynamoDB refuses to create the table; remove the excess"
        ],
    );
    fine(check::table(&table(&[], &many(20, IndexKind::Global), &[])));
    check(
        check::table(&table(&[], &many(6, IndexKind::Local), &[])),
        expect![
            "[I12] League has 6 local indexes, and at most 5 are possible; DynamoDB refuses to create the table; remove the excess"
        ],
    );
    let mut allowed = table(&[], &many(6, IndexKind::Local), &[]);
    allowed.allows = allow("I12");
    fine(check::table(&allowed));
    let wide = many(1, IndexKind::Global)[0];
    let wide = IndexMeta { projection: Projection::Include(&["a"; 101]), ..wide };
    check(
        check::table(&table(&[], &[wide], &[])),
        expect![
            "[I12] League has 101 attributes in projections, and at most 100 are possible; DynamoDB refuses to create the table; remove the excess"
        ],
    );
}

#[test]
fn i12_keys_of_indexes_have_one_to_four_attributes() {
    let bare = IndexMeta { partition: &[], ..index("GSI1") };
    check(
        check::index(&table(&[], &[bare], &[reading("GSI1")]), 0),
        expect![
            "[I12] index GSI1 has 0 partition and 1 sort key attributes; DynamoDB refuses to create the table; give it 1 to 4 partition attributes and up to 4 sort attributes"
        ],
    );
    let wide = IndexMeta { sort: &["a", "b", "c", "d", "e"], ..index("GSI1") };
    check(
        check::index(&table(&[], &[wide], &[reading("GSI1")]), 0),
        expect![
            "[I12] index GSI1 has 1 partition and 5 sort key attributes; DynamoDB refuses to create the table; give it 1 to 4 partition attributes and up to 4 sort attributes"
        ],
    );
    let local = IndexMeta { kind: IndexKind::Local, partition: &[], ..index("GSI1") };
    fine(check::index(&table(&[], &[local], &[reading("GSI1")]), 0));
}

#[test]
fn i12_names_of_indexes_are_different() {
    let twice = [index("GSI1"), index("GSI1")];
    check(
        check::index(&table(&[], &twice, &[reading("GSI1")]), 1),
        expect![
            "[I12] League has two indexes GSI1; DynamoDB refuses to create the table; give one of them another name"
        ],
    );
}

#[test]
fn d02_an_index_with_several_entities_carries_their_type() {
    let (team, player) = (team().build(), player().build());
    let mut mixed = reading("GSI1");
    let both = vec![team, player].leak();
    mixed.returns = both;
    let keys = IndexMeta { projection: Projection::KeysOnly, ..index("GSI1") };
    check(
        check::index(&table(&[team, player], &[keys], &[mixed]), 0),
        expect![
            "[D02] pattern all_teams returns several entities from index GSI1, which does not carry `ItemType`; rows of several entities are returned together, and their types would be guesses; include `ItemType` in the projection"
        ],
    );
    let allowed = IndexMeta { allows: allow("D02"), ..keys };
    fine(check::index(&table(&[team, player], &[allowed], &[mixed]), 0));
    let including = IndexMeta { projection: Projection::Include(&["ItemType"]), ..keys };
    fine(check::index(&table(&[team, player], &[including], &[mixed]), 0));
    let mut by_key = table(&[team, player], &[keys], &[mixed]);
    by_key.type_attribute = TypeAttribute::ByKey;
    fine(check::index(&by_key, 0));
}

#[test]
fn r01_alternator_lacks_transactions_and_wide_keys() {
    let unique = team().unique("name", ["N#{name}", "U"]).build();
    let mut portable = table(&[unique], &[], &[]);
    fine(check::table(&portable));
    portable.targets = &[Target::DynamoDb, Target::Alternator];
    check(
        check::table(&portable),
        expect![
            "[R01] Team has a unique constraint, which is kept by transactions, and League must run on Alternator; ScyllaDB Alternator has neither transactions nor index keys of several attributes; remove the target, or do without the feature"
        ],
    );
    portable.allows = allow("R01");
    fine(check::table(&portable));
    let wide = IndexMeta { sort: &["a", "b"], ..index("GSI1") };
    let mut portable = table(&[], &[wide], &[reading("GSI1")]);
    portable.targets = &[Target::Alternator];
    check(
        check::table(&portable),
        expect![
            "[R01] index GSI1 of League has a key of several attributes; ScyllaDB Alternator has neither transactions nor index keys of several attributes; concatenate them in one template, or remove the target Alternator"
        ],
    );
    let mirrored = team().mirror("Team", Some(["T#{team_id}", "X"])).build();
    let mut portable = table(&[mirrored], &[], &[]);
    portable.targets = &[Target::Alternator];
    check(
        check::table(&portable),
        expect![
            "[R01] Team has a mirror, which is kept by transactions, and League must run on Alternator; ScyllaDB Alternator has neither transactions nor index keys of several attributes; remove the target, or do without the feature"
        ],
    );
}
