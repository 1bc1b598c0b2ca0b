//! The order of steps.

use expect_test::expect;

use super::{check, entity, field};
use crate::diff::{Plan, plan};
use crate::ir::{EntityIndex, Index};

#[test]
fn no_changes_need_no_steps() {
    assert_eq!(plan(&[]), Plan::default());
    assert_eq!(plan(&[]).to_markdown(), "");
}

#[test]
fn additions_come_first_and_removals_last() {
    check(
        |design| {
            let gsi4 = design.indexes.remove(0);
            let names = [("GSI5", "GSI5PK"), ("GSI6", "GSI6PK")];
            design.indexes.extend(names.map(|(name, partition)| Index {
                name: name.to_owned(),
                partition: vec![partition.to_owned()],
                sort: Vec::new(),
                ..gsi4.clone()
            }));
            let keys = |index: &str, template: &str| EntityIndex {
                index: index.to_owned(),
                partition: vec![template.to_owned()],
                sort: Vec::new(),
                is_sparse: false,
                shards: None,
            };
            let player = entity(design, "Player");
            player.indexes = vec![keys("GSI5", "USER#{user_id}"), keys("GSI6", "P#{player_id}")];
            entity(design, "Team").indexes.push(keys("GSI6", "T#{team_id}"));
            entity(design, "Team").unique.clear();
            entity(design, "Game").key.sort = Some("GAME#{game_id}".to_owned());
            field(design, "Team", "name").attribute = "title".to_owned();
            field(design, "Team", "name").aliases = vec!["name".to_owned()];
            design.ttl_attribute = Some("expires".to_owned());
        },
        expect![[r#"
            the expiry of a row was in `ttl` and is in `expires`
            index GSI5 is new: global, partition key `GSI5PK`, with all attributes
            index GSI6 is new: global, partition key `GSI6PK`, with all attributes
            index GSI4 is gone
            Team newly writes the keys of index GSI6
            the unique constraint `name` of Team is gone
            `name` of Team was `name` and is `title`; rows with the old name are read
            Player newly writes the keys of index GSI5
            Player newly writes the keys of index GSI6
            Player no longer writes the keys of index GSI4
            Player no longer writes the keys of index BySize
            the key of Game was `TEAM#{team_id}` / `GAME#{start}#{game_id}` and is `TEAM#{team_id}` / `GAME#{game_id}`
            --
            1. Migrate, since the key of Game was `TEAM#{team_id}` / `GAME#{start}#{game_id}` and is `TEAM#{team_id}` / `GAME#{game_id}`: the key of a row can't be changed; declare a new entity with the new key beside this one, write both, copy every row, and remove this one then.
            2. Let the older design read Team rows of the newer one, and deploy it: give `name` a `#[serde(alias = "title")]`.
            3. Create the index GSI5 (global, partition key `GSI5PK`, with all attributes), and wait until it is active.
            4. Create the index GSI6 (global, partition key `GSI6PK`, with all attributes), and wait until it is active.
            5. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            6. Rewrite every Team row: filters and indexes see `title` only, and rows have `name`.
            7. Backfill Team with `store.backfill::<Team>(cursor, rows)` until there is no next cursor: it writes the keys of index GSI6.
            8. Backfill Player with `store.backfill::<Player>(cursor, rows)` until there is no next cursor: it writes the keys of index GSI5 and the keys of index GSI6.
            9. Verify Team: no row has `name`; a second backfill repairs nothing, finds no conflict and passes over no row.
            10. Verify Player: a second backfill repairs nothing, finds no conflict and passes over no row.
            11. Stop the expiry by `ttl`, and let rows expire by `expires` an hour later: DynamoDB takes one such change an hour.
            12. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            13. Delete the index GSI4, and wait until it is gone.
            14. Delete the rows of the unique constraint `name` of Team, if they are no longer needed.
            15. Remove `GSI4PK`, `GSI4SK` from every Player row, if no longer needed.
        "#]],
    );
}
