//! Whole results: all rows at once, and values folded from them.

use monotable::model::{Aggregate as _, Error};

use super::*;

#[tokio::test]
async fn all_rows_come_at_once_up_to_their_bound() {
    let db = league().await;
    let red = db.create(&team("red")).await.unwrap();
    let first = db.create(&player("red", "p1")).await.unwrap();
    let all = db.everything(&red.team_id).await.unwrap();
    assert_eq!(all, [TeamItem::Team(red.clone()), TeamItem::Player(first)]);
    for id in ["p2", "p3"] {
        db.create(&player("red", id)).await.unwrap();
    }
    let error = db.everything(&red.team_id).await.unwrap_err();
    assert!(matches!(error, Error::LimitReached { .. }), "{error}");
}

#[tokio::test]
async fn a_value_is_folded_from_a_collection() {
    let db = league().await;
    let red = db.create(&team("red")).await.unwrap();
    let first = db.create(&player("red", "p1")).await.unwrap();
    let second = db.create(&player("red", "p2")).await.unwrap();
    let view = db.view(&red.team_id).await.unwrap();
    assert_eq!(view, Some(TeamView { team: red, players: vec![first, second] }));
}

#[tokio::test]
async fn a_value_without_its_required_row_is_none() {
    let db = league().await;
    db.create(&player("red", "p1")).await.unwrap();
    assert_eq!(db.view(&TeamId::new("red").unwrap()).await.unwrap(), None);
    let game_id = GameId::new("g1").unwrap();
    assert_eq!(db.log(&game_id).await.unwrap(), None);
    let event = Event { game_id: game_id.clone(), number: 1, text: "Kick-off".to_owned() };
    let event = db.create(&event).await.unwrap();
    let log = GameLog { game: None, events: vec![event] };
    assert_eq!(db.log(&game_id).await.unwrap(), Some(log));
}

#[test]
fn a_second_row_of_a_single_field_is_an_error() {
    let rows = vec![TeamViewRow::from(team("a")), TeamViewRow::from(team("b"))];
    let error = TeamView::fold(rows).unwrap_err();
    assert_eq!(error.to_string(), "TeamView can't be folded: there is more than one Team");
}
