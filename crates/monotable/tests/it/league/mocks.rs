//! Access patterns without a table: the trait is an ordinary one, so a test can implement it.

use super::*;

/// A league in which every team is called the same.
struct Namesakes;

impl LeagueReads for Namesakes {
    fn team(&self, team_id: &TeamId) -> One<Team> {
        One::from_value(Some(Team { name: "Namesake".to_owned(), ..team(team_id.as_ref()) }))
    }

    fn team_page(&self, team_id: &TeamId) -> Rows<TeamPage> {
        Rows::from_rows(vec![team(team_id.as_ref()).into()])
    }

    fn roster(&self, _: &TeamId) -> Rows<Player> {
        Rows::from_rows(Vec::new())
    }

    fn numbers(&self, _: &TeamId) -> Rows<Player> {
        Rows::from_rows(Vec::new())
    }

    fn players_of(&self, _: &UserId) -> Rows<Player> {
        Rows::from_rows(Vec::new())
    }

    fn everything(&self, _: &TeamId) -> All<TeamItem> {
        All::from_rows(Vec::new())
    }

    fn view(&self, team_id: &TeamId) -> Fold<TeamView> {
        Fold::from_rows(vec![team(team_id.as_ref()).into()])
    }

    fn teams(&self, keys: &[TeamKey]) -> Many<Team> {
        Many::from_values(keys.iter().map(|key| Some(team(key.team_id.as_ref()))).collect())
    }

    fn dump(&self) -> Rows<LeagueRow> {
        Rows::from_rows(Vec::new())
    }
}

/// Returns what a program does with any league.
async fn greeting(db: &dyn LeagueReads, team_id: &TeamId) -> String {
    let team = db.team(team_id).await.unwrap();
    team.map(|team| format!("Welcome to {}", team.name)).unwrap_or_default()
}

#[tokio::test]
async fn a_program_accepts_a_table_or_a_fake() {
    let db = league().await;
    let red = db.create(&team("red")).await.unwrap();
    assert_eq!(greeting(&db, &red.team_id).await, "Welcome to Team red");
    assert_eq!(greeting(&Namesakes, &red.team_id).await, "Welcome to Namesake");
    assert_eq!(greeting(&db, &TeamId::new("blue").unwrap()).await, "");
    let view = Namesakes.view(&red.team_id).await.unwrap();
    assert_eq!(view.map(|view| view.players.len()), Some(0));
}
