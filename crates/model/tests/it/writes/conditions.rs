//! Typed conditions against rows.

use monotable_expression as expression;
use monotable_model::backend::Backend as _;
use monotable_model::backend::Embedded;
use monotable_model::backend::request::{Action, Returns, Write};
use monotable_model::{Condition, Entity, Error, Settings, delete, table};
use monotable_types::{AttributeValue, Item, item, list};
use serde::{Deserialize, Serialize};

use crate::league::{Position, Team, TeamId, note, player, team};

fn row() -> Item {
    item! {
        "teamId" => "t1", "name" => "Red Stars", "founded" => 1900, "ver" => 3, "number" => 7,
        "position" => "goal", "topic" => AttributeValue::Null, "text" => list!["a", 2],
    }
}

fn check<E: monotable_model::Entity>(condition: Condition<E>, expected: bool) {
    let tree = condition.into_tree().unwrap();
    assert_eq!(tree.evaluate(&row()), expected, "{tree:?}");
}

#[test]
fn comparisons_take_values_of_the_field() {
    check(team::founded().eq(1900), true);
    check(team::founded().ne(1900), false);
    check(team::founded().lt(1900), false);
    check(team::founded().le(1900), true);
    check(team::founded().gt(1899), true);
    check(team::founded().ge(1901), false);
    check(team::founded().between(1899, 1900), true);
    check(team::founded().is_in([1, 1900]), true);
    check(team::name().eq("Red Stars"), true);
    check(team::name().eq("Red Stars".to_owned()), true);
    check(team::team_id().eq(TeamId::new("t2").unwrap()), false);
}

#[test]
fn optional_fields_compare_with_and_without_some() {
    check(player::number().eq(7), true);
    check(player::number().eq(Some(7)), true);
    check(player::number().eq(None::<u8>), false);
    check(player::number().ne(None::<u8>), true);
    check(player::nick_name().eq(None::<String>), true);
    check(player::nick_name().eq("Ada"), false);
    check(player::position().eq(Position::Goal), true);
    check(note::topic().eq(None::<String>), true);
    check(player::number().exists(), true);
    check(player::number().absent(), false);
    check(player::nick_name().absent(), true);
}

#[test]
fn texts_lists_and_sizes() {
    check(team::name().begins_with("Red"), true);
    check(team::name().contains("Stars"), true);
    check(note::text().contains(&2), true);
    check(note::text().contains("b"), false);
    check(team::name().size().eq(9), true);
    check(team::name().size().between(1, 8), false);
    check(note::text().size().lt(3), true);
    check(note::text().size().ge(3), false);
}

#[test]
fn conditions_combine() {
    let yes = || team::founded().eq(1900);
    let no = || team::founded().eq(1);
    check(yes().and(no()), false);
    check(yes().or(no()), true);
    check(!no(), true);
    check(yes().and(Condition::raw(expression::path("ver").gt(2))), true);
    let broken = || Condition::<Team>::and(team::name().contains(&f64::NAN), yes());
    assert!(broken().into_tree().is_err());
    assert!((!broken().or(yes())).into_tree().is_err());
}

/// A message with fields that had other names before.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "LETTER#{letter_id}", sk = "LETTER")]
#[unique(owner)]
pub(crate) struct Letter {
    #[immutable]
    pub(crate) letter_id: String,
    #[serde(alias = "own", alias = "holder")]
    pub(crate) owner: Option<String>,
    pub(crate) pages: Option<u8>,
    #[version]
    pub(crate) ver: u64,
}

table! {
    /// Letters.
    pub(crate) Letters {
        name = "letters";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Letter);
    }
}

#[test]
fn old_names_are_tested_where_the_name_of_today_is_missing() {
    let rows = [
        item! { "owner" => "u1" },
        item! { "own" => "u1" },
        item! { "holder" => "u1" },
        item! { "own" => "u1", "holder" => "u9" },
        item! { "owner" => "u1", "own" => "u9" },
    ];
    let holds =
        |condition: Condition<Letter>, row: &Item| condition.into_tree().unwrap().evaluate(row);
    for row in &rows {
        assert!(holds(letter::owner().eq("u1"), row), "{row:?}");
        assert!(!holds(letter::owner().eq("u9"), row), "{row:?}");
        assert!(holds(letter::owner().ne("u9"), row), "{row:?}");
        assert!(holds(letter::owner().exists(), row), "{row:?}");
        assert!(!holds(letter::owner().absent(), row), "{row:?}");
        assert!(holds(letter::owner().begins_with("u"), row), "{row:?}");
        assert!(holds(letter::owner().size().eq(2), row), "{row:?}");
        assert!(!holds(letter::owner().eq(None), row), "{row:?}");
    }
    let nothing = item! { "pages" => 3 };
    assert!(holds(letter::owner().absent(), &nothing));
    assert!(holds(letter::owner().eq(None), &nothing));
    assert!(!holds(letter::owner().exists(), &nothing));
    assert!(holds(letter::pages().eq(3), &nothing));
}

#[tokio::test]
async fn rows_with_old_names_are_changed_under_conditions_and_deleted_in_transactions() {
    let backend = Embedded::memory();
    let db = Settings::<Letters>::new().open(backend.clone()).await.unwrap();
    let row = item! {
        "PK" => "LETTER#l1", "SK" => "LETTER", "ItemType" => "Letter", "letter_id" => "l1",
        "own" => "u1", "ver" => 3,
    };
    let write = Write {
        table: "letters".into(),
        action: Action::Put(row.clone()),
        condition: None,
        return_on_failure: false,
        returns: Returns::Nothing,
        returns_units: false,
    };
    backend.write(write).await.unwrap();
    let Some(LettersRow::Letter(old)) = Letters::decode(row).unwrap() else { panic!("no letter") };
    let update = || Letter::update(&LetterKey::new("l1".to_owned())).pages(Some(2));
    let refused = db.update(update().when(letter::owner().eq("u2"))).await.unwrap_err();
    assert!(matches!(refused, Error::ConditionFailed { .. }), "{refused:?}");
    let new = db.update(update().when(letter::owner().exists())).await.unwrap();
    assert_eq!((new.ver, new.owner.as_deref(), new.pages), (4, Some("u1"), Some(2)));
    let stale = db.transact().with(delete(&old)).await.unwrap_err();
    assert!(matches!(stale, Error::Transaction { .. }), "{stale:?}");
    db.transact().with(delete(&new)).await.unwrap();
    assert!(!db.delete_by_key(&LetterKey::new("l1".to_owned())).await.unwrap());
}
