//! Changes of rows without reading them.

use monotable_model::{Error, Path, Update};
use monotable_types::item;

use super::fixture::{fixture, note, player, player_key, session, team, user};
use crate::league::{
    Note, NoteKey, Player, Position, Session, SessionKey, Tally, TallyKey, Team, TeamFacet,
    TeamFacetKey, TeamKey, Visit, VisitKey, note as note_path, player as player_path,
};

#[tokio::test]
async fn an_update_returns_the_entity_as_it_is_then() {
    let f = fixture().await;
    f.db.create(&player("t1", "p1")).await.unwrap();
    f.clock.advance_ms(1_000);
    let key = player_key("t1", "p1");
    let update = Player::update(&key).nick_name(Some("Ada".to_owned())).add_goals(2);
    let p = f.db.update(update).await.unwrap();
    assert_eq!((p.nick_name.as_deref(), p.goals, p.ver), (Some("Ada"), 2, 2));
    assert_eq!(p.updated_at.to_string(), "2026-01-01T00:00:01.000Z");
    let p = f.db.update(Player::update(&key).nick_name(None).add_goals(-1)).await.unwrap();
    assert_eq!((p.nick_name, p.goals, p.ver), (None, 1, 3));
    assert!(!f.row("TEAM#t1", "PLAYER#p1").await.unwrap().contains_key("nickName"));
}

#[tokio::test]
async fn an_update_of_no_row_makes_none() {
    let f = fixture().await;
    let update = Player::update(&player_key("t1", "p1")).add_goals(1);
    let error = f.db.update(update).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { entity: "Player" }), "{error:?}");
    assert!(f.rows().await.is_empty());
}

#[tokio::test]
async fn index_keys_follow_group_setters() {
    let f = fixture().await;
    f.db.create(&player("t1", "p1")).await.unwrap();
    let key = player_key("t1", "p1");
    let update = Player::update(&key)
        .position_and_number(Some(Position::Field), Some(23))
        .user_id(Some(user("u1")));
    f.db.update(update).await.unwrap();
    let row = f.row("TEAM#t1", "PLAYER#p1").await.unwrap();
    assert_eq!(row["GSI3PK"].as_s(), Some("TEAM#t1#field"));
    assert_eq!(row["GSI3SK"].as_s(), Some("NUMBER#023"));
    assert_eq!((row["GSI4PK"].as_s(), row["GSI4SK"].as_s()), (Some("USER#u1"), Some("PLAYER#p1")));
    let update = Player::update(&key).position_and_number(Some(Position::Field), None);
    let p = f.db.update(update).await.unwrap();
    assert_eq!((p.position, p.number), (Some(Position::Field), None));
    let row = f.row("TEAM#t1", "PLAYER#p1").await.unwrap();
    assert!(!row.contains_key("GSI3PK") && !row.contains_key("GSI3SK"), "{row:?}");
    assert!(row.contains_key("GSI4PK"));
}

#[tokio::test]
async fn half_of_an_index_key_is_refused() {
    let f = fixture().await;
    f.db.create(&player("t1", "p1")).await.unwrap();
    // Generated code has no setter for one of the two: this is what it prevents.
    let position = 3;
    let update = Update::<Player>::new(&player_key("t1", "p1")).set_part(position, &Position::Goal);
    let error = f.db.run(update).await.unwrap_err();
    assert!(error.to_string().contains("index GSI3 without `number`"), "{error}");
}

#[tokio::test]
async fn a_failed_condition_returns_the_row() {
    let f = fixture().await;
    f.db.create(&player("t1", "p1")).await.unwrap();
    let key = player_key("t1", "p1");
    let update = || Player::update(&key).add_goals(1);
    f.db.update(update().when(player_path::goals().eq(0))).await.unwrap();
    let error = f.db.update(update().when(player_path::goals().eq(0))).await.unwrap_err();
    let Error::ConditionFailed { entity: "Player", row: Some(row) } = error else {
        panic!("{error:?}")
    };
    assert_eq!(row["goals"], 1.into());
    let both = update().when(player_path::goals().eq(1)).when(player_path::number().exists());
    assert!(matches!(f.db.update(both).await, Err(Error::ConditionFailed { .. })));
}

#[tokio::test]
async fn a_row_may_be_created_where_that_is_declared() {
    let f = fixture().await;
    let key = NoteKey::new("n1".to_owned());
    let update = Note::update(&key).mark(Some(3)).topic(Some("sun".to_owned())).or_create();
    let n = f.db.update(update).await.unwrap();
    assert_eq!((n.note_id.as_str(), n.mark, n.text.as_str()), ("n1", Some(3), ""));
    let row = f.row("NOTE#n1", "NOTE").await.unwrap();
    let expected = item! {
        "PK" => "NOTE#n1", "SK" => "NOTE", "ItemType" => "Note", "note_id" => "n1", "mark" => 3,
        "topic" => "sun", "GSI2PK" => "NOTES", "GSI2SK" => "TOPIC#sun",
    };
    assert_eq!(row, expected);
    let n = f.db.update(Note::update(&key).add_likes(2).or_create()).await.unwrap();
    assert_eq!((n.likes, n.mark), (2, Some(3)));
}

#[tokio::test]
async fn a_number_under_a_key_counts() {
    let f = fixture().await;
    let key = TallyKey::new("visits".to_owned());
    for expected in 1..=3 {
        let tally = f.db.update(Tally::update(&key).add_count(1).or_create()).await.unwrap();
        assert_eq!((tally.name.as_str(), tally.count), ("visits", expected));
        assert_eq!(tally.ver, expected.unsigned_abs());
    }
    assert_eq!(f.row("COUNT#visits", "COUNT").await.unwrap()["v"], 3.into());
}

#[tokio::test]
async fn an_expired_row_is_updated_as_if_it_was_not_there() {
    let f = fixture().await;
    f.db.create(&session("s1", Some("secret"), Some(10))).await.unwrap();
    f.add_raw("SESSION#s1", "SESSION", item! { "legacy" => 1 }).await;
    let key = SessionKey::new("s1".to_owned());
    let s = f.db.update(Session::update(&key).add_visits(5)).await.unwrap();
    assert_eq!((s.visits, s.ver), (5, 2));
    f.clock.advance_ms(10_000);
    let error = f.db.update(Session::update(&key).add_visits(1)).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
    let s = f.db.update(Session::update(&key).add_visits(1).or_create()).await.unwrap();
    assert_eq!((s.visits, s.ver, s.token, s.ttl), (1, 1, None, None));
    assert!(!f.row("SESSION#s1", "SESSION").await.unwrap().contains_key("legacy"));
}

#[tokio::test]
async fn sentinels_follow_an_expiry_that_is_set_blindly() {
    let f = fixture().await;
    f.db.create(&session("s1", Some("secret"), Some(10))).await.unwrap();
    let key = SessionKey::new("s1".to_owned());
    let later = super::fixture::seconds(20);
    let s = f.db.update(Session::update(&key).ttl(Some(later))).await.unwrap();
    assert_eq!((s.ttl, s.ver), (Some(later), 2));
    f.clock.advance_ms(15_000);
    let error = f.db.create(&session("s2", Some("secret"), None)).await.unwrap_err();
    assert!(matches!(error, Error::UniqueTaken { .. }), "{error:?}");
}

#[tokio::test]
async fn mirrors_follow_an_update() {
    let f = fixture().await;
    let mut red = team("t1", "Red");
    red.motto = Some("Go".to_owned());
    f.db.create(&red).await.unwrap();
    // Generated code has no setter for fields in a mirror; the runtime still keeps mirrors
    // consistent.
    let key = TeamKey::new(red.team_id.clone());
    let motto = 2;
    let update = Update::<Team>::new(&key).set(motto, "Run");
    let t = f.db.run(update).await.unwrap();
    assert_eq!((t.motto.as_deref(), t.ver), (Some("Run"), 2));
    assert_eq!(f.row("NAME#Red", "TEAM").await.unwrap()["motto"].as_s(), Some("Run"));
    assert_eq!(f.row("TEAM#t1", "FACET").await.unwrap()["motto"].as_s(), Some("Run"));
    let when = Path::<Team, String>::new("name").eq("Blue");
    let update = Update::<Team>::new(&key).set(motto, "Stop").when(when);
    let error = f.db.run(update).await.unwrap_err();
    assert!(matches!(error, Error::ConditionFailed { .. }), "{error:?}");
}

#[tokio::test]
async fn invalid_values_are_reported_when_the_update_runs() {
    let f = fixture().await;
    f.db.create(&note("n1", "x")).await.unwrap();
    let key = NoteKey::new("n1".to_owned());
    let error = f.db.update(Note::update(&key).topic(Some(String::new()))).await.unwrap_err();
    assert!(matches!(error, Error::Key { entity: "Note", .. }), "{error:?}");
    let when = note_path::text().contains(&f64::NAN);
    let error = f.db.update(Note::update(&key).mark(None).when(when)).await.unwrap_err();
    assert!(matches!(error, Error::Encode { entity: "Note", .. }), "{error:?}");
    let facet = TeamFacetKey::new(crate::league::TeamId::new("t1").unwrap());
    let update = TeamFacet::update(&facet).motto("x".to_owned());
    assert!(matches!(f.db.update(update).await, Err(Error::NotFound { .. })));
}

#[tokio::test]
async fn a_key_of_the_last_change_follows_every_update() {
    let f = fixture().await;
    let visit = Visit {
        visit_id: "v1".to_owned(),
        state: Position::Goal,
        rating: None,
        ver: 0,
        updated_at: super::fixture::now(),
    };
    f.db.create(&visit).await.unwrap();
    f.clock.advance_ms(1_000);
    let key = VisitKey::new("v1".to_owned());
    let rating = 2;
    let v = f.db.run(Update::<Visit>::new(&key).set(rating, &4)).await.unwrap();
    assert_eq!((v.rating, v.updated_at.to_string()), (Some(4), LATER.to_owned()));
    let row = f.row("VISIT#v1", "VISIT").await.unwrap();
    assert_eq!(row["GSI2PK"].as_s(), Some("VISITS#goal"));
    assert_eq!(row["GSI2SK"].as_s(), Some(format!("AT#{LATER}").as_str()));
}

const LATER: &str = "2026-01-01T00:00:01.000Z";
