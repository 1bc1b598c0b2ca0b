//! After any history, index keys are those of the fields, indexes contain what a scan finds, and
//! sentinels and mirrors are exactly those of the existing entities; and the result of operations
//! with conditions depends on the stored row.

mod guarded;

use std::collections::BTreeSet;

use monotable_model::{
    Error, Operation, Result, Run, check_absent, create, delete, delete_by_key, edit, rekey,
};
use monotable_types::{AttributeValue, Item};
use proptest::prelude::*;

use self::guarded::Guarded;
use super::fixture::{Fixture, fixture, player, player_key, team, user};
use crate::league::{
    League, NoteKey, Player, PlayerId, PlayerKey, Position, Team, TeamId, TeamKey,
    player as player_path,
};

#[derive(Clone, Debug)]
enum Step {
    CreateTeam { id: u8, name: u8, motto: bool },
    RenameTeam { id: u8, name: u8, motto: bool, stale: bool },
    DeleteTeam { id: u8, by_key: bool },
    CreatePlayer { id: u8, user: Option<u8>, slot: Slot },
    EditPlayer { id: u8, user: Option<u8>, slot: Slot, stale: bool },
    Link { id: u8, user: Option<u8> },
    Place { id: u8, slot: Slot, goals: i64 },
    DeletePlayer { id: u8 },
    Swap { team: u8, player: u8, name: u8 },
    Exchange { teams: (u8, u8), names: (u8, u8), motto: bool },
    Succeed { team: u8, successor: u8 },
    MoveTeam { id: u8, to: u8, name: u8, stale: bool },
    MovePlayer { id: u8, to: u8, user: Option<u8>, slot: Slot },
    Guarded(Guarded),
}

/// Whether an operation runs on its own, or by its handle in a transaction.
#[derive(Clone, Copy, Debug)]
enum Runs {
    Alone,
    Together,
}

impl Runs {
    /// Runs an operation, and returns what it left.
    async fn run<E: Clone + 'static, O>(self, f: &Fixture, operation: O) -> Result<E>
    where
        O: Operation<League, Output = E> + Run<League, Output = E>,
    {
        match self {
            Self::Alone => f.db.run(operation).await,
            Self::Together => {
                let mut tx = f.db.transact();
                tx.add(check_absent(&NoteKey::new("none".to_owned())));
                let handle = tx.add(operation);
                let done = tx.commit().await.map_err(|error| {
                    assert_eq!(error.failures().len(), 1, "{error}");
                    error.of(handle).cloned().unwrap_or(error)
                })?;
                Ok(done[handle].clone())
            }
        }
    }

    /// Runs an operation that leaves another thing alone than in a transaction.
    async fn run_for_nothing<O>(self, f: &Fixture, operation: O) -> Result<()>
    where
        O: Operation<League, Output = ()> + Run<League>,
    {
        match self {
            Self::Alone => f.db.run(operation).await.map(drop),
            Self::Together => {
                let mut tx = f.db.transact();
                let handle = tx.add(operation);
                let done = tx.commit().await;
                done.map(|done| done[handle])
                    .map_err(|error| error.of(handle).cloned().unwrap_or(error))
            }
        }
    }
}

type Slot = (Option<bool>, Option<u8>);

fn steps() -> impl Strategy<Value = Vec<(Step, Runs)>> {
    let id = || 0..3_u8;
    let user = || proptest::option::of(0..3_u8);
    let slot = || (proptest::option::of(any::<bool>()), proptest::option::of(0..120_u8));
    let any_bool = any::<bool>;
    let step = prop_oneof![
        (id(), id(), any_bool()).prop_map(|(id, name, motto)| Step::CreateTeam { id, name, motto }),
        (id(), id(), any_bool(), any_bool())
            .prop_map(|(id, name, motto, stale)| Step::RenameTeam { id, name, motto, stale }),
        (id(), any_bool()).prop_map(|(id, by_key)| Step::DeleteTeam { id, by_key }),
        (id(), user(), slot()).prop_map(|(id, user, slot)| Step::CreatePlayer { id, user, slot }),
        (id(), user(), slot(), any_bool()).prop_map(|(id, user, slot, stale)| Step::EditPlayer {
            id,
            user,
            slot,
            stale
        }),
        (id(), user()).prop_map(|(id, user)| Step::Link { id, user }),
        (id(), slot(), -2..3_i64).prop_map(|(id, slot, goals)| Step::Place { id, slot, goals }),
        id().prop_map(|id| Step::DeletePlayer { id }),
        (id(), id(), id()).prop_map(|(team, player, name)| Step::Swap { team, player, name }),
        ((id(), id()), (id(), id()), any_bool()).prop_map(|(teams, names, motto)| Step::Exchange {
            teams,
            names,
            motto
        }),
        (id(), id()).prop_map(|(team, successor)| Step::Succeed { team, successor }),
        (id(), id(), id(), any_bool()).prop_map(|(id, to, name, stale)| Step::MoveTeam {
            id,
            to,
            name,
            stale
        }),
        (id(), id(), user(), slot()).prop_map(|(id, to, user, slot)| Step::MovePlayer {
            id,
            to,
            user,
            slot
        }),
    ];
    let step = prop_oneof![3 => step, 1 => guarded::guarded().prop_map(Step::Guarded)];
    let runs = any_bool().prop_map(|is_alone| if is_alone { Runs::Alone } else { Runs::Together });
    proptest::collection::vec((step, runs), 1..40)
}

/// The entities as they were seen last and the time before that.
struct Seen<E> {
    entities: [Vec<E>; 3],
}

impl<E: Clone> Seen<E> {
    fn nothing() -> Self {
        Self { entities: [const { Vec::new() }; 3] }
    }

    fn add(&mut self, id: u8, entity: E) {
        self.entities[usize::from(id)].push(entity);
    }

    fn get(&self, id: u8, is_stale: bool) -> Option<E> {
        self.entities[usize::from(id)].iter().rev().nth(usize::from(is_stale)).cloned()
    }
}

struct World {
    f: Fixture,
    teams: Seen<Team>,
    players: Seen<Player>,
}

fn name_of(name: u8) -> String {
    ["Red", "Red #2", "Blue & Co"][usize::from(name)].to_owned()
}

fn motto_of(is_there: bool) -> Option<String> {
    is_there.then(|| "Go".to_owned())
}

fn set(p: &mut Player, user_id: Option<u8>, slot: Slot) {
    p.user_id = user_id.map(|id| user(&format!("u{id}")));
    (p.position, p.number) = (position(slot.0), slot.1);
}

fn position(is_goal: Option<bool>) -> Option<Position> {
    is_goal.map(|is_goal| if is_goal { Position::Goal } else { Position::Field })
}

impl World {
    async fn step(&mut self, step: Step, runs: Runs) -> Result<()> {
        let (f, db) = (&self.f, &self.f.db);
        match step {
            Step::CreateTeam { id, name, motto } => {
                let mut new = team(&format!("t{id}"), &name_of(name));
                new.motto = motto_of(motto);
                self.teams.add(id, runs.run(f, create(new)).await?);
            }
            Step::RenameTeam { id, name, motto, stale } => {
                let Some(old) = self.teams.get(id, stale) else { return Ok(()) };
                let change = |t: &mut Team| (t.name, t.motto) = (name_of(name), motto_of(motto));
                self.teams.add(id, runs.run(f, edit(&old, change)).await?);
            }
            Step::DeleteTeam { id, by_key: true } => {
                runs.run_for_nothing(f, delete_by_key(&team_key(id))).await?;
            }
            Step::DeleteTeam { id, by_key: false } => {
                let Some(old) = self.teams.get(id, false) else { return Ok(()) };
                runs.run(f, delete(&old)).await?;
            }
            Step::CreatePlayer { id, user, slot } => {
                let mut new = player("t0", &format!("p{id}"));
                set(&mut new, user, slot);
                self.players.add(id, runs.run(f, create(new)).await?);
            }
            Step::EditPlayer { id, user, slot, stale } => {
                let Some(old) = self.players.get(id, stale) else { return Ok(()) };
                let set = |p: &mut Player| set(p, user, slot);
                self.players.add(id, runs.run(f, edit(&old, set)).await?);
            }
            Step::Link { id, user: to } => {
                let to = to.map(|id| user(&format!("u{id}")));
                self.players.add(id, db.update(Player::update(&own_key(id)).user_id(to)).await?);
            }
            Step::Place { id, slot, goals } => {
                let update = Player::update(&own_key(id))
                    .position_and_number(position(slot.0), slot.1)
                    .add_goals(goals)
                    .when(player_path::goals().ge(2).or(player_path::goals().eq(0)));
                let update = if goals < 0 {
                    update.when(player_path::goals().ge(goals.unsigned_abs()))
                } else {
                    update
                };
                self.players.add(id, db.update(update).await?);
            }
            Step::DeletePlayer { id } => {
                runs.run_for_nothing(f, delete_by_key(&own_key(id))).await?;
            }
            Step::MoveTeam { .. } | Step::MovePlayer { .. } => return self.moved(step, runs).await,
            Step::Guarded(guarded) => return self.guarded(guarded, runs).await,
            Step::Swap { .. } | Step::Exchange { .. } | Step::Succeed { .. } => {
                return self.together(step).await;
            }
        }
        Ok(())
    }

    /// The steps that change keys.
    async fn moved(&mut self, step: Step, runs: Runs) -> Result<()> {
        match step {
            Step::MoveTeam { id, to, name, stale } => {
                let Some(old) = self.teams.get(id, stale) else { return Ok(()) };
                let new = Team { name: name_of(name), ..team_at(&old, to) };
                self.teams.add(to, runs.run(&self.f, rekey(&old, &new)).await?);
            }
            Step::MovePlayer { id, to, user, slot } => {
                let Some(old) = self.players.get(id, false) else { return Ok(()) };
                let mut new = player_at(&old, to);
                set(&mut new, user, slot);
                self.players.add(to, runs.run(&self.f, rekey(&old, &new)).await?);
            }
            _ => {}
        }
        Ok(())
    }

    /// The steps of several operations at once.
    async fn together(&mut self, step: Step) -> Result<()> {
        let db = &self.f.db;
        match step {
            Step::Swap { team, player, name } => {
                let Some(t) = self.teams.get(team, false) else { return Ok(()) };
                let Some(p) = self.players.get(player, false) else { return Ok(()) };
                let mut tx = db.transact();
                let renamed = tx.add(edit(&t, |t| t.name = name_of(name)));
                tx.add(delete(&p));
                self.teams.add(team, tx.commit().await?[renamed].clone());
            }
            Step::Exchange { teams: (one, other), names, motto } => {
                let Some(first) = self.teams.get(one, false) else { return Ok(()) };
                let Some(second) = self.teams.get(other, false) else { return Ok(()) };
                if one == other {
                    return Ok(());
                }
                let change = |t: &mut Team| (t.name, t.motto) = (name_of(names.0), motto_of(motto));
                let mut tx = db.transact();
                let changed = tx.add(edit(&first, change));
                let renamed = tx.add(edit(&second, |t| t.name = name_of(names.1)));
                let done = tx.commit().await?;
                self.teams.add(one, done[changed].clone());
                self.teams.add(other, done[renamed].clone());
            }
            Step::Succeed { team: id, successor } => {
                let Some(old) = self.teams.get(id, false) else { return Ok(()) };
                if id == successor {
                    return Ok(());
                }
                let new = team(&format!("t{successor}"), &old.name);
                let mut tx = db.transact();
                let created = tx.add(create(new));
                tx.add(delete(&old));
                self.teams.add(successor, tx.commit().await?[created].clone());
            }
            _ => {}
        }
        Ok(())
    }
}

fn team_key(id: u8) -> TeamKey {
    TeamKey::new(TeamId::new(format!("t{id}")).unwrap())
}

fn team_at(old: &Team, id: u8) -> Team {
    Team { team_id: TeamId::new(format!("t{id}")).unwrap(), ..old.clone() }
}

/// Returns the key of a player of the only team that has any.
fn own_key(id: u8) -> PlayerKey {
    player_key("t0", &format!("p{id}"))
}

fn player_at(old: &Player, id: u8) -> Player {
    Player { player_id: PlayerId::new(format!("p{id}")).unwrap(), ..old.clone() }
}

fn text<'a>(row: &'a Item, attribute: &str) -> Option<&'a str> {
    row.get(attribute).and_then(AttributeValue::as_s)
}

/// Returns the index keys of a row by hand, from its fields and the declared templates.
fn expected_keys(row: &Item) -> Item {
    let mut keys = Item::new();
    let mut insert = |name: &str, value: String| keys.insert(name.to_owned(), value.into());
    match (text(row, "ItemType").unwrap(), text(row, "SK").unwrap()) {
        ("TEAM", "METADATA") => {
            insert("GSI2PK", "ENTITY#TEAM".to_owned());
            insert("GSI2SK", format!("METADATA#{}", text(row, "name").unwrap()));
        }
        ("PLAYER", _) => {
            let player_id = text(row, "playerId").unwrap();
            if let Some(user) = text(row, "userId") {
                insert("GSI4PK", format!("USER#{user}"));
                insert("GSI4SK", format!("PLAYER#{player_id}"));
            }
            let number = row.get("number").and_then(|number| number.as_n()?.to_i64());
            if let (Some(position), Some(number)) = (text(row, "position"), number) {
                insert("GSI3PK", format!("TEAM#t0#{position}"));
                insert("GSI3SK", format!("NUMBER#{number:03}"));
            }
        }
        _ => {}
    }
    keys
}

async fn check(f: &Fixture) {
    let rows = f.rows().await;
    let mut expected_keys_of_others = BTreeSet::new();
    for row in &rows {
        let stored: Item = row
            .iter()
            .filter(|(attribute, _)| attribute.starts_with("GSI"))
            .map(|(attribute, value)| (attribute.clone(), value.clone()))
            .collect();
        assert_eq!(stored, expected_keys(row), "{row:?}");
        if text(row, "ItemType") == Some("TEAM") && text(row, "SK") == Some("METADATA") {
            let name = text(row, "name").unwrap();
            let encoded = name.replace('%', "%25").replace(' ', "%20").replace('#', "%23");
            let unique = format!("UNIQUE#TEAM#name#{encoded}");
            let sentinel = rows.iter().find(|row| text(row, "PK") == Some(unique.as_str()));
            let owner = sentinel.and_then(|row| row.get("owner")?.as_m()?.get("PK"));
            assert_eq!(owner, row.get("PK"), "{unique}");
            expected_keys_of_others.insert(unique);
            expected_keys_of_others.insert(format!("NAME#{name}"));
            let mut mirror = f.row(&format!("NAME#{name}"), "TEAM").await.unwrap();
            let mut own = row.clone();
            for key in ["PK", "SK", "GSI2PK", "GSI2SK"] {
                mirror.remove(key);
                own.remove(key);
            }
            assert_eq!(mirror, own);
            let facet = f.row(text(row, "PK").unwrap(), "FACET").await;
            let motto = facet.as_ref().and_then(|facet| text(facet, "motto"));
            assert_eq!(motto, text(row, "motto"));
        }
    }
    let others: BTreeSet<String> = rows
        .iter()
        .filter_map(|row| text(row, "PK"))
        .filter(|key| key.starts_with("UNIQUE#") || key.starts_with("NAME#"))
        .map(str::to_owned)
        .collect();
    assert_eq!(others, expected_keys_of_others);
    for index in ["GSI2", "GSI3", "GSI4"] {
        check_index(f, index, &rows).await;
    }
}

/// Every partition of an index, queried, is the rows of a scan with that key, in order.
async fn check_index(f: &Fixture, index: &'static str, rows: &[Item]) {
    let (partition, sort) = (format!("{index}PK"), format!("{index}SK"));
    let partitions: BTreeSet<&str> = rows.iter().filter_map(|row| text(row, &partition)).collect();
    let mut count = 0;
    for value in partitions {
        let mut expected: Vec<&Item> =
            rows.iter().filter(|row| text(row, &partition) == Some(value)).collect();
        expected.sort_by_key(|row| text(row, &sort).map(str::to_owned));
        let found = f.query(index, &partition, value).await;
        count += found.len();
        let sorts = |rows: &[&Item]| -> Vec<Option<String>> {
            rows.iter().map(|row| text(row, &sort).map(str::to_owned)).collect()
        };
        assert_eq!(sorts(&found.iter().collect::<Vec<_>>()), sorts(&expected));
        for row in &found {
            assert!(expected.contains(&row), "{row:?}");
        }
    }
    assert_eq!(f.scan(Some(index)).await.len(), count);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn derived_rows_and_keys_are_right_after_any_history(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut world =
                World { f: fixture().await, teams: Seen::nothing(), players: Seen::nothing() };
            for (step, runs) in steps {
                let result = world.step(step, runs).await;
                let is_defect = matches!(
                    result,
                    Err(Error::Backend(_) | Error::Decode { .. } | Error::Key { .. })
                );
                assert!(!is_defect, "{result:?}");
                check(&world.f).await;
            }
        });
    }
}
