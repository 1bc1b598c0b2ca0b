//! Keys of every kind: shards, several attributes, fields that are keys themselves.

use monotable_model::Update;
use monotable_types::Item;

use super::fixture::{Fixture, fixture, user};
use crate::league::{Event, EventKey, Position, TeamId};

fn event() -> Event {
    Event {
        event_id: 7,
        region: Some(user("north")),
        team_id: TeamId::new("t1").unwrap(),
        kind: Some(Position::Goal),
        minute: 90,
        text: None,
        ver: 0,
    }
}

async fn keys(f: &Fixture) -> Vec<(String, String)> {
    let is_key = |attribute: &str| {
        attribute.starts_with("GSI") || ["region", "team", "kind"].contains(&attribute)
    };
    let row: Item = f.row("EVENT#7", "EVENT").await.unwrap();
    row.iter()
        .filter(|(attribute, _)| is_key(attribute))
        .map(|(attribute, value)| (attribute.clone(), value.as_s().unwrap().to_owned()))
        .collect()
}

fn expected(keys: &[(&str, &str)]) -> Vec<(String, String)> {
    keys.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[tokio::test]
async fn fields_that_are_keys_stay_when_the_row_leaves_the_index() {
    let f = fixture().await;
    let e = f.db.create(&event()).await.unwrap();
    let whole = [
        ("GSI5PK", "EVENTS#3"),
        ("GSI5SK", "AT#00090"),
        ("GSI6SK", "AT#00090"),
        ("kind", "goal"),
        ("region", "north"),
        ("team", "t1"),
    ];
    assert_eq!(keys(&f).await, expected(&whole));
    assert_eq!(f.scan(Some("GSI6")).await.len(), 1);
    let e = f.db.edit(e, |e| e.kind = None).await.unwrap();
    let outside = [("GSI5PK", "EVENTS#3"), ("GSI5SK", "AT#00090"), ("region", "north")];
    assert_eq!(keys(&f).await, expected(&outside));
    assert_eq!(f.scan(Some("GSI6")).await.len(), 0);
    f.db.edit(e, |e| e.kind = Some(Position::Goal)).await.unwrap();
    assert_eq!(keys(&f).await, expected(&whole));
}

#[tokio::test]
async fn shards_and_several_attributes_follow_an_update() {
    let f = fixture().await;
    f.db.create(&event()).await.unwrap();
    let key = EventKey::new(7);
    let (region, team_id, kind, minute) = (1, 2, 3, 4);
    let update = Update::<Event>::new(&key)
        .set_part_optional(region, None::<&TeamId>)
        .set_part(team_id, &TeamId::new("t2").unwrap())
        .set_part(kind, &Position::Field)
        .set_part(minute, &3_u16);
    let e = f.db.run(update).await.unwrap();
    assert_eq!((e.region, e.minute, e.kind), (None, 3, Some(Position::Field)));
    let outside = [("GSI5PK", "EVENTS#3"), ("GSI5SK", "AT#00003"), ("kind", "field")];
    assert_eq!(keys(&f).await, expected(&outside));
}
