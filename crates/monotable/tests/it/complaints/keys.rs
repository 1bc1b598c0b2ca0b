//! Keys: whether they follow the fields, who owns their format, and what is unique.

use monotable::model::Error;

use super::*;

/// Returns the index keys that a game must have.
fn index_keys_of(game: &Game) -> [Option<String>; 3] {
    let Game { game_id, home_id, date, field, .. } = game;
    [
        Some(format!("TEAM#{home_id}")),
        Some(format!("GAME#{date}#{field}#{game_id}")),
        Some(format!("GAME#{date}#{game_id}")),
    ]
}

/// Complaint 1: index keys go stale or missing after a partial update.
#[tokio::test]
async fn index_keys_follow_every_change() {
    let world = World::new().await;
    let db = &world.db;
    let check = |game: &Game| {
        let row = world.row("GAME#g1", "METADATA").unwrap();
        let stored = ["GSI1PK", "GSI1SK", "GSI2SK"].map(|key| text(&row, key).map(str::to_owned));
        assert_eq!(stored, index_keys_of(game));
        assert!(text(&row, "GSI2PK").unwrap().starts_with("GAMES#"));
    };
    let day = |text: &str| text.parse::<Date>().unwrap();
    let south = Field::new("south").unwrap();

    let game = db.create(&game("g1", "2026-05-01")).await.unwrap();
    check(&game);
    let game = db.edit(game, |game| game.date = day("2026-05-02")).await.unwrap();
    check(&game);
    // The fields of one template have one setter, so half of a key cannot be set.
    let update = Game::update(&game.key()).date_and_field(day("2026-05-03"), south);
    let game = db.update(update).await.unwrap();
    check(&game);
    let blue = TeamId::new("blue").unwrap();
    let game = db.update(Game::update(&game.key()).home_id(blue)).await.unwrap();
    check(&game);
    let mut tx = db.transact();
    let edited = tx.add(edit(&game, |game| game.date = day("2026-05-04")));
    check(&tx.commit().await.unwrap()[edited]);

    // A sparse index: the keys come and go with the optional field.
    let ann = UserId::new("ann").unwrap();
    let key = db.create(&player("p1")).await.unwrap().key();
    for user in [Some(ann.clone()), None, Some(ann)] {
        db.update(Player::update(&key).user_id(user.clone())).await.unwrap();
        let row = world.row("TEAM#red", "PLAYER#p1").unwrap();
        assert_eq!(text(&row, "GSI1PK"), user.as_ref().map(|_| "USER#ann"));
        assert_eq!(text(&row, "GSI1SK"), user.as_ref().map(|_| "PLAYER#p1"));
    }
    reported_by_the_compiler("entity/i02_absent_index_key", "I02");
}

/// Complaint 4: the library owns the key format, and changes it.
#[tokio::test]
async fn the_key_is_the_template_and_can_be_read_back() {
    let world = World::new().await;
    let mixed = Team { team_id: TeamId::new("Red.Sox_1@x").unwrap(), ..team("x", "One") };
    world.db.create(&mixed).await.unwrap();
    let lower = Team { team_id: TeamId::new("red.sox_1@x").unwrap(), ..team("x", "Two") };
    world.db.create(&lower).await.unwrap();

    let row = world.row("TEAM#Red.Sox_1@x", "METADATA").unwrap();
    let Some(LeagueRow::Team(found)) = League::decode(row).unwrap() else { panic!("no team") };
    assert_eq!(found.key(), TeamKey::new(mixed.team_id));
    // Texts that could make a key ambiguous are not valid ids.
    assert!(TeamId::new("red#METADATA").is_err());
    reported_by_the_compiler("entity/k06_delimiter", "K06");
    reported_by_the_compiler("entity/k04_unsortable_number", "K04");
}

/// Complaint 5: nothing keeps non-key attributes unique.
#[tokio::test]
async fn non_key_values_can_be_unique() {
    let world = World::new().await;
    let db = &world.db;
    // All at once, one wins.
    let created = (0..8).map(|number| {
        let (db, team) = (db.clone(), team(&format!("t{number}"), "Red Sox"));
        tokio::spawn(async move { db.create(&team).await })
    });
    let mut winners = Vec::new();
    for task in created.collect::<Vec<_>>() {
        match task.await.unwrap() {
            Ok(team) => winners.push(team),
            Err(error) => assert!(
                matches!(error, Error::UniqueTaken { entity: "Team", constraint: "name" }),
                "{error}"
            ),
        }
    }
    let [winner] = <[Team; 1]>::try_from(winners).unwrap();

    // A change and a deletion release the value.
    let winner = db.edit(winner, |team| team.name = "Blue Jays".to_owned()).await.unwrap();
    let other = db.create(&team("other", "Red Sox")).await.unwrap();
    let taken = db.edit(other.clone(), |team| team.name = "Blue Jays".to_owned()).await;
    assert!(matches!(taken, Err(Error::UniqueTaken { .. })), "{taken:?}");
    db.delete(&winner).await.unwrap();
    db.edit(other, |team| team.name = "Blue Jays".to_owned()).await.unwrap();
    reported_by_the_compiler("entity/u01_condition_on_create", "U01");
    reported_by_the_compiler("entity/u02_unique_index", "U02");
    reported_by_the_compiler("entity/u03_value_kept_forever", "U03");
}
