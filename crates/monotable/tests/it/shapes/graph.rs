//! An adjacency list with an inverted index, an index of types, and games under both of their teams.

use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct UserId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "USER#{user}", sk = "USER#{user}")]
#[index(ByType: pk = "User", sk = "{name}")]
struct User {
    user: UserId,
    name: UserId,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team}", sk = "USER#{user}")]
#[index(Inverted: pk = "USER#{user}", sk = "TEAM#{team}")]
struct Membership {
    team: TeamId,
    user: UserId,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{home}", sk = "GAME#{day}#HOME#{guest}")]
#[mirror(pk = "TEAM#{guest}", sk = "GAME#{day}#AWAY#{home}")]
struct Game {
    home: TeamId,
    guest: TeamId,
    #[immutable]
    day: Date,
    #[version]
    ver: u64,
}

table! {
    /// Who plays with and against whom.
    Graph {
        name = "graph";
        key(PK, SK);
        type_attribute = kind;
        index Inverted(SK, PK);
        index ByType(kind, name);
        entities(User, Membership, Game);
        patterns(GraphReads);
    }
}

#[access_patterns(Graph)]
trait GraphReads {
    #[query(pk = "TEAM#{team}", sk = begins_with("USER#"))]
    fn members(&self, team: &TeamId) -> Rows<Membership>;
    #[query(index = Inverted, pk = "USER#{user}", sk = begins_with("TEAM#"))]
    fn teams_of(&self, user: &UserId) -> Rows<Membership>;
    #[query(pk = "TEAM#{team}", sk = "GAME#{from}"..="GAME#{to}")]
    fn games(&self, team: &TeamId, from: Date, to: Date) -> Rows<Game>;
    #[query(index = ByType, pk = "User")]
    fn users(&self) -> Rows<User>;
}

#[tokio::test]
async fn every_edge_is_found_from_both_ends() {
    let db = Graph::open(Embedded::memory()).await.unwrap();
    let (ann, red) = (UserId::new("ann").unwrap(), TeamId::new("red").unwrap());
    let blue = TeamId::new("blue").unwrap();
    db.create(&User { user: ann.clone(), name: ann.clone() }).await.unwrap();
    db.create(&Membership { team: red.clone(), user: ann.clone() }).await.unwrap();
    assert_eq!(db.members(&red).count().await.unwrap(), 1);
    assert_eq!(db.teams_of(&ann).count().await.unwrap(), 1);
    assert_eq!(db.users().count().await.unwrap(), 1);
    let day: Date = "2026-05-01".parse().unwrap();
    let game = Game { home: red.clone(), guest: blue.clone(), day, ver: 0 };
    let game = db.create(&game).await.unwrap();
    for team in [&red, &blue] {
        assert_eq!(
            db.games(team, day, day).page().await.unwrap().rows,
            std::slice::from_ref(&game)
        );
    }
}
