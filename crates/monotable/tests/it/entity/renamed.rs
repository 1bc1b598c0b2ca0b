//! A struct with a new name, whose rows contain the old one.

use monotable::Database;
use monotable::prelude::*;

use super::declared::TeamId;

/// The design of last year.
mod before {
    use super::*;

    #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[key(pk = "TEAM#{team_id}", sk = "METADATA")]
    pub(super) struct Team {
        pub(super) team_id: TeamId,
    }

    table! {
        pub(super) League { name = "league"; key(PK, SK); type_attribute = ItemType; entities(Team); }
    }
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "Team")]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
struct Club {
    team_id: TeamId,
}

table! {
    League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Club);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
trait LeagueReads {
    #[query(pk = "TEAM#{team_id}")]
    fn clubs(&self, team_id: &TeamId) -> Rows<Club>;
}

#[tokio::test]
async fn a_renamed_struct_finds_its_rows_by_their_type() {
    let database = Database::memory();
    let old = before::League::open(Embedded::new(database.clone())).await.unwrap();
    let team_id = TeamId::new("red").unwrap();
    old.create(&before::Team { team_id: team_id.clone() }).await.unwrap();
    let new = League::open(Embedded::new(database)).await.unwrap();
    let page = new.clubs(&team_id).page().await.unwrap();
    assert_eq!((page.rows, page.skipped), (vec![Club { team_id }], 0));
    let plan = before::League::design().plan_to(&League::design());
    assert_eq!(plan.to_markdown(), "", "nothing has to be done");
}
