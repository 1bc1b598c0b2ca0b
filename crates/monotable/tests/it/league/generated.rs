//! Declarations that other macros generate, with entities named by paths.

use super::*;

macro_rules! teams_table {
    ($table:ident, $reads:ident, $entity:path) => {
        table! {
            $table {
                name = "teams";
                key(PK, SK);
                type_attribute = none;
                entities($entity);
                patterns($reads);
            }
        }

        #[access_patterns($table)]
        trait $reads {
            #[get(pk = "TEAM#{team_id}", sk = "METADATA")]
            fn team(&self, team_id: &TeamId) -> One<$entity>;
            #[query(pk = "TEAM#{team_id}", items_max = 10)]
            fn named(&self, team_id: &TeamId, #[filter] name: &str) -> All<$entity>;
        }
    };
}

teams_table!(Teams, TeamReads, super::model::Team);

#[tokio::test]
async fn a_table_made_by_a_macro_is_a_table() {
    let db = Teams::open(Embedded::memory()).await.unwrap();
    let red = db.create(&team("red")).await.unwrap();
    assert_eq!(db.team(&red.team_id).await.unwrap().as_ref(), Some(&red));
    assert_eq!(db.named(&red.team_id, "Team red").await.unwrap(), std::slice::from_ref(&red));
    assert_eq!(db.named(&red.team_id, "Team blue").await.unwrap(), []);
    let image = monotable::item! {
        "PK" => "TEAM#red", "SK" => "METADATA",
        "teamId" => "red", "name" => "Team red", "players" => 0, "ver" => 1,
    };
    assert_eq!(Teams::decode(image).unwrap(), Some(TeamsRow::Team(red)));
}
