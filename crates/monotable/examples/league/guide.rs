// The scene of the guide's snippets, which include this file: the model, and a league with a few
// rows in it.

include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/league/model.rs"));

/// What a snippet returns.
#[allow(dead_code)]
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Two teams, a roster and a few games.
#[allow(dead_code)]
async fn league() -> Result<Store<League>, Box<dyn std::error::Error>> {
    let db = League::open(Embedded::memory()).await?;
    for (id, name) in [("red", "Red Sox"), ("blue", "Blue Jays")] {
        db.create(&team(id, name)?).await?;
    }
    for (id, name, number) in
        [("p1", "Ann", Some(7)), ("p2", "Bob", None), ("p3", "Cleo", Some(10))]
    {
        db.create(&player("red", id, name, number)?).await?;
    }
    for (id, date, status) in [
        ("g1", "2026-05-01", Status::Final),
        ("g2", "2026-05-02", Status::Scheduled),
        ("g3", "2026-05-03", Status::Final),
        ("g4", "2026-05-09", Status::Scheduled),
    ] {
        db.create(&Game { status, ..game("red", id, date)? }).await?;
    }
    Ok(db)
}

#[allow(dead_code)]
fn team(id: &str, name: &str) -> Result<Team, Box<dyn std::error::Error>> {
    Ok(Team {
        team_id: TeamId::new(id)?,
        name: name.to_owned(),
        city: None,
        wins: 0,
        created_at: Timestamp::default(),
        ver: 0,
    })
}

#[allow(dead_code)]
fn player(
    team: &str,
    id: &str,
    name: &str,
    number: Option<u8>,
) -> Result<Player, Box<dyn std::error::Error>> {
    Ok(Player {
        team_id: TeamId::new(team)?,
        player_id: PlayerId::new(id)?,
        name: name.to_owned(),
        number,
        user_id: None,
        ver: 0,
    })
}

#[allow(dead_code)]
fn game(team: &str, id: &str, date: &str) -> Result<Game, Box<dyn std::error::Error>> {
    Ok(Game {
        game_id: GameId::new(id)?,
        home_id: TeamId::new(team)?,
        date: date.parse()?,
        field: Field::new("north")?,
        status: Status::Scheduled,
        home_runs: 0,
        guest_runs: 0,
        ver: 0,
    })
}
