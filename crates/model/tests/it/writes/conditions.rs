//! Typed conditions against rows.

use monotable_expression as expression;
use monotable_model::Condition;
use monotable_types::{AttributeValue, Item, item, list};

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
