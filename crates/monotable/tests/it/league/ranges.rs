//! Ranges of sort keys, filters and shards.

use super::*;

const SEASON: [(&str, &str); 5] = [
    ("g1", "2026-01-01"),
    ("g2", "2026-06-30"),
    ("g3", "2026-12-30"),
    ("g4", "2026-12-31"),
    ("g5", "2027-01-01"),
];

fn home() -> TeamId {
    TeamId::new("home").unwrap()
}

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_range_has_its_last_day_whole() {
    let db = with_games(&SEASON).await;
    let games = db.games(&home(), date("2026-06-30"), date("2026-12-31"));
    assert_eq!(ids(&games.page().await.unwrap().rows), ["g4", "g3", "g2"]);
}

#[tokio::test]
async fn a_range_open_at_one_end_stays_within_its_literal() {
    let db = with_games(&SEASON).await;
    let from = db.games_from(&home(), date("2026-12-31")).page().await.unwrap();
    assert_eq!(ids(&from.rows), ["g4", "g5"]);
    let until = db.games_until(&home(), date("2026-06-30")).page().await.unwrap();
    assert_eq!(ids(&until.rows), ["g1", "g2"]);
}

#[tokio::test]
async fn a_query_for_one_gives_the_first() {
    let db = with_games(&SEASON).await;
    let next = db.next_game(&home(), date("2026-12-01")).await.unwrap();
    assert_eq!(next.map(|game| game.game_id), Some(GameId::new("g3").unwrap()));
    assert_eq!(db.next_game(&home(), date("2027-01-02")).await.unwrap(), None);
}

#[tokio::test]
async fn a_page_is_filled_past_filtered_rows() {
    let db = league().await;
    for (number, status) in
        [Status::Final, Status::Scheduled, Status::Final, Status::Scheduled, Status::Final]
            .into_iter()
            .enumerate()
    {
        let venue = Venue::new(if number < 2 { "park" } else { "arena" }).unwrap();
        let game = game(&format!("g{number}"), "2026-05-01");
        db.create(&Game { status, venue, ..game }).await.unwrap();
    }
    let page = db.games_by_status(&home(), Status::Final, None).take(2).page().await.unwrap();
    assert_eq!(ids(&page.rows), ["g0", "g2"]);
    let next = page.next.unwrap();
    let rest = db.games_by_status(&home(), Status::Final, None).after(&next).page().await.unwrap();
    assert_eq!(ids(&rest.rows), ["g4"]);
    let park = Venue::new("park").unwrap();
    let park = db.games_by_status(&home(), Status::Final, Some(&park)).page().await.unwrap();
    assert_eq!(ids(&park.rows), ["g0"]);
}

#[tokio::test]
async fn shards_are_read_as_one_in_order() {
    let days: Vec<(String, String)> =
        (1..=20).map(|day| (format!("game-{day}"), format!("2026-03-{day:02}"))).collect();
    let games: Vec<(&str, &str)> =
        days.iter().rev().map(|(id, day)| (id.as_str(), day.as_str())).collect();
    let db = with_games(&games).await;
    let mut found = Vec::new();
    let mut cursor: Option<Cursor> = None;
    loop {
        let mut request = db.all_games().take(6);
        if let Some(cursor) = &cursor {
            request = request.after(cursor);
        }
        let page = request.page().await.unwrap();
        found.extend(page.rows.into_iter().map(|game| game.date.to_string()));
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    let expected: Vec<String> = days.into_iter().map(|(_, day)| day).collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn an_index_may_have_a_key_of_several_attributes() {
    let db = with_games(&SEASON).await;
    let arena = Venue::new("arena").unwrap();
    let on = |day: &str| db.games_at(&arena, Status::Scheduled, date(day)).page();
    assert_eq!(ids(&on("2026-12-31").await.unwrap().rows), ["g4"]);
    assert_eq!(ids(&on("2026-12-29").await.unwrap().rows), Vec::<&str>::new());
    let live = db.games_at(&arena, Status::InProgress, date("2026-12-31")).page();
    assert_eq!(ids(&live.await.unwrap().rows), Vec::<&str>::new());
}

#[tokio::test]
async fn events_before_and_after_a_point_leave_it_out() {
    let db = with_games(&[("g1", "2026-05-01")]).await;
    let game_id = GameId::new("g1").unwrap();
    for number in [1, 2, 9, 10, 11] {
        let event = Event { game_id: game_id.clone(), number, text: String::new() };
        db.create(&event).await.unwrap();
    }
    let numbers = |rows: Vec<Event>| rows.iter().map(|event| event.number).collect::<Vec<_>>();
    let after = db.events_after(&game_id, 9).page().await.unwrap();
    assert_eq!(numbers(after.rows), [10, 11]);
    let before = db.events_before(&game_id, 9).page().await.unwrap();
    assert_eq!(numbers(before.rows), [1, 2]);
}
