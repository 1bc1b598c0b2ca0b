//! `when`: conditions on the stored row, for operations alone and in a transaction.

use monotable_model::{
    Change, Condition, Conditional, Editable, Entity as _, Error, Holds, Leaves, Operation, Result,
    Run, check, check_absent, delete, delete_by_key, edit, put, rekey,
};
use monotable_types::item;

use super::fixture::{Fixture, fixture, game, note, player, player_key, session, team};
use crate::league::{
    League, Note, NoteKey, Player, PlayerId, Session, SessionKey, Team, TeamId, game as game_path,
    note as note_path, player as player_path, session as session_path, team as team_path,
};

/// Where an operation runs.
#[derive(Clone, Copy)]
enum Runs {
    Alone,
    Together,
}

const BOTH: [Runs; 2] = [Runs::Alone, Runs::Together];

impl Runs {
    /// Runs an operation, and returns its own error.
    async fn run<O: Operation<League> + Run<League>>(
        self,
        f: &Fixture,
        operation: O,
    ) -> Result<()> {
        match self {
            Self::Alone => f.db.run(operation).await.map(drop),
            Self::Together => {
                let mut tx = f.db.transact();
                let handle = tx.add(operation);
                let error = tx.commit().await.map(drop);
                error.map_err(|error| error.of(handle).cloned().unwrap_or(error))
            }
        }
    }
}

/// Returns the row that a failed condition saw.
fn unmet(result: Result<()>) -> Option<Box<monotable_types::Item>> {
    match result {
        Err(Error::ConditionFailed { row, .. }) => row,
        other => panic!("{other:?}"),
    }
}

/// An entity, how it changes, and a condition that holds of it and one that does not.
struct Case<E> {
    entity: E,
    change: fn(&mut E),
    holds: Condition<E>,
    fails: Condition<E>,
}

impl<E: Editable> Case<E>
where
    League: Holds<E>,
{
    /// Checks an operation on an entity that was read.
    async fn check<P: Conditional + Leaves>(&self, operation: impl Fn(&E) -> Change<E, P>) {
        for runs in BOTH {
            let f = fixture().await;
            let read = f.db.create(&self.entity).await.unwrap();
            let rows = f.rows().await;
            let with = |entity: &E, condition: &Condition<E>| {
                runs.run(&f, operation(entity).when(condition.clone()))
            };
            assert!(unmet(with(&read, &self.fails).await).is_some());
            let both = operation(&read).when(self.holds.clone()).when(self.fails.clone());
            assert!(unmet(runs.run(&f, both).await).is_some());
            assert_eq!(f.rows().await, rows, "nothing was written");

            // That the row has changed counts where the condition holds.
            let newer = f.db.edit(read.clone(), self.change).await.unwrap();
            let conflict = with(&read, &self.holds).await;
            assert!(matches!(conflict, Err(Error::VersionConflict { .. })), "{conflict:?}");
            unmet(with(&read, &self.fails).await);
            with(&newer, &self.holds).await.unwrap();

            f.db.delete_by_key(&newer.key()).await.unwrap();
            let gone = with(&newer, &self.holds).await;
            assert!(matches!(gone, Err(Error::NotFound { .. })), "{gone:?}");
            let gone = with(&newer, &self.fails).await;
            assert!(matches!(gone, Err(Error::NotFound { .. })), "{gone:?}");
        }
    }
}

#[tokio::test]
async fn of_an_entity_in_one_row() {
    let case = Case {
        entity: player("t1", "p1"),
        change: |p| p.number = Some(1),
        holds: player_path::goals().eq(0),
        fails: player_path::goals().ge(1),
    };
    case.check(|p| edit(p, |p| p.nick_name = Some("Ada".to_owned()))).await;
    case.check(|p| edit(p, |_| ())).await;
    case.check(delete).await;
    let moved = |p: &Player| Player { player_id: PlayerId::new("p9").unwrap(), ..p.clone() };
    case.check(|p| rekey(p, &moved(p))).await;
    // The same key: an edit.
    case.check(|p| rekey(p, &Player { number: Some(3), ..p.clone() })).await;
}

#[tokio::test]
async fn of_an_entity_with_a_unique_value_and_mirrors() {
    let case = Case {
        entity: team("t1", "Red"),
        change: |t| t.motto = Some("Go".to_owned()),
        holds: team_path::name().eq("Red"),
        fails: team_path::founded().lt(1900),
    };
    case.check(|t| edit(t, |t| t.name = "Blue".to_owned())).await;
    case.check(|t| edit(t, |_| ())).await;
    case.check(delete).await;
    let moved = |t: &Team| Team { team_id: TeamId::new("t9").unwrap(), ..t.clone() };
    case.check(|t| rekey(t, &moved(t))).await;
}

#[tokio::test]
async fn of_an_entity_without_a_version_and_of_one_in_an_envelope() {
    let case = Case {
        entity: note("n1", "x"),
        change: |n| n.text = "y".to_owned(),
        holds: note_path::likes().eq(0),
        fails: note_path::mark().exists(),
    };
    case.check(|n| edit(n, |n| n.text = "z".to_owned())).await;

    let case = Case {
        entity: game("g1", "park"),
        change: |g| g.place = "hall".to_owned(),
        holds: game_path::state().eq("planned"),
        fails: game_path::state().eq("over"),
    };
    case.check(|g| edit(g, |g| g.place = "lake".to_owned())).await;
    case.check(delete).await;
}

#[tokio::test]
async fn of_a_put() {
    for runs in BOTH {
        let f = fixture().await;
        // A note is written blindly, a session is read first.
        f.db.create(&note("n1", "x")).await.unwrap();
        f.db.create(&session("s1", Some("one"), None)).await.unwrap();
        let rows = f.rows().await;
        let written = || put(note("n1", "y"));
        let read = || put(session("s1", Some("two"), None));
        let (x, one) = (note_path::text().eq("x"), session_path::token().eq("one"));
        assert!(unmet(runs.run(&f, written().when(!x.clone())).await).is_some());
        assert!(unmet(runs.run(&f, read().when(!one.clone())).await).is_some());
        assert_eq!(f.rows().await, rows);
        runs.run(&f, written().when(x.clone())).await.unwrap();
        runs.run(&f, read().when(one.clone())).await.unwrap();
        assert!(unmet(runs.run(&f, written().when(x.clone())).await).is_some());
        assert!(unmet(runs.run(&f, read().when(one.clone())).await).is_some());
        assert_eq!(f.sentinels().await, ["UNIQUE#Session#token#two"]);

        // If the row is missing, no attribute has a value.
        let new = || put(note("n2", "y"));
        let login = || put(session("s2", None, None));
        assert_eq!(unmet(runs.run(&f, new().when(x)).await), None);
        assert_eq!(unmet(runs.run(&f, login().when(one)).await), None);
        runs.run(&f, new().when(note_path::note_id().absent())).await.unwrap();
        runs.run(&f, login().when(session_path::session_id().absent())).await.unwrap();
        unmet(runs.run(&f, new().when(note_path::note_id().absent())).await);
        unmet(runs.run(&f, login().when(session_path::session_id().absent())).await);
    }
}

#[tokio::test]
async fn of_a_delete_by_key() {
    for runs in BOTH {
        let f = fixture().await;
        f.db.create(&note("n1", "x")).await.unwrap();
        f.db.create(&session("s1", Some("one"), None)).await.unwrap();
        let rows = f.rows().await;
        let note = || delete_by_key(&NoteKey::new("n1".to_owned()));
        let session = || delete_by_key(&SessionKey::new("s1".to_owned()));
        let (x, one) = (note_path::text().eq("x"), session_path::token().eq("one"));
        assert!(unmet(runs.run(&f, note().when(!x.clone())).await).is_some());
        assert!(unmet(runs.run(&f, session().when(!one.clone())).await).is_some());
        assert_eq!(f.rows().await, rows);
        runs.run(&f, note().when(x.clone())).await.unwrap();
        runs.run(&f, session().when(one.clone())).await.unwrap();
        assert!(f.rows().await.is_empty());
        // Where there is nothing, no condition has to hold.
        runs.run(&f, note().when(x)).await.unwrap();
        runs.run(&f, session().when(one)).await.unwrap();
    }
    let f = fixture().await;
    let key = NoteKey::new("n1".to_owned());
    let when = || note_path::likes().eq(0);
    assert!(!f.db.run(delete_by_key(&key).when(when())).await.unwrap());
    f.db.create(&note("n1", "x")).await.unwrap();
    assert!(f.db.run(delete_by_key(&key).when(when())).await.unwrap());
}

#[tokio::test]
async fn of_an_update() {
    for runs in BOTH {
        let f = fixture().await;
        f.db.create(&player("t1", "p1")).await.unwrap();
        f.db.create(&session("s1", Some("one"), None)).await.unwrap();
        let goal = || Player::update(&player_key("t1", "p1")).add_goals(1);
        let visit = |id: &str| Session::update(&SessionKey::new(id.to_owned())).add_visits(1);
        let none = || player_path::goals().eq(0);
        let never = || session_path::visits().eq(0);
        runs.run(&f, goal().when(none())).await.unwrap();
        assert!(unmet(runs.run(&f, goal().when(none())).await).is_some());
        runs.run(&f, visit("s1").or_create().when(never())).await.unwrap();
        assert!(unmet(runs.run(&f, visit("s1").or_create().when(never())).await).is_some());
        assert_eq!(f.row("TEAM#t1", "PLAYER#p1").await.unwrap()["goals"], 1.into());
        assert_eq!(f.row("SESSION#s1", "SESSION").await.unwrap()["visits"], 1.into());

        let gone = runs.run(&f, visit("s2").when(never())).await;
        assert!(matches!(gone, Err(Error::NotFound { entity: "Session" })), "{gone:?}");
        assert_eq!(unmet(runs.run(&f, visit("s2").or_create().when(never())).await), None);
    }
}

#[tokio::test]
async fn a_check_alone_reads_its_row() {
    for runs in BOTH {
        let f = fixture().await;
        let key = SessionKey::new("s1".to_owned());
        let visited = || check(&key, session_path::visits().ge(1));
        let gone = runs.run(&f, visited()).await;
        assert!(matches!(gone, Err(Error::NotFound { entity: "Session" })), "{gone:?}");
        runs.run(&f, check_absent(&key)).await.unwrap();

        f.db.create(&session("s1", None, Some(10))).await.unwrap();
        let row = unmet(runs.run(&f, visited()).await).unwrap();
        assert_eq!(row["visits"], 0.into());
        f.db.update(Session::update(&key).add_visits(1)).await.unwrap();
        runs.run(&f, visited()).await.unwrap();
        unmet(runs.run(&f, visited().when(session_path::token().exists())).await);
        let there = runs.run(&f, check_absent(&key)).await;
        assert!(matches!(there, Err(Error::Exists { entity: "Session" })), "{there:?}");

        f.clock.advance_ms(10_000);
        let gone = runs.run(&f, visited()).await;
        assert!(matches!(gone, Err(Error::NotFound { entity: "Session" })), "{gone:?}");
        runs.run(&f, check_absent(&key)).await.unwrap();
    }
}

#[tokio::test]
async fn an_entity_with_a_version_is_unchanged_as_long_as_that() {
    for runs in BOTH {
        let f = fixture().await;
        let p = f.db.create(&player("t1", "p1")).await.unwrap();
        let is_unchanged = |p: &Player| check(&p.key(), p.unchanged());
        runs.run(&f, is_unchanged(&p)).await.unwrap();
        runs.run(&f, delete_by_key(&player_key("t1", "p2")).when(p.unchanged())).await.unwrap();
        let newer = f.db.update(Player::update(&p.key()).add_goals(1)).await.unwrap();
        unmet(runs.run(&f, is_unchanged(&p)).await);
        unmet(runs.run(&f, delete_by_key(&p.key()).when(p.unchanged())).await);
        runs.run(&f, is_unchanged(&newer)).await.unwrap();

        // Rows from before there were versions.
        f.write_raw(item! {
            "PK" => "TEAM#t1", "SK" => "PLAYER#p3", "ItemType" => "PLAYER", "teamId" => "t1",
            "playerId" => "p3", "updatedAt" => "2026-01-01T00:00:00Z",
        })
        .await;
        let old = Player { ver: 0, ..player("t1", "p3") };
        runs.run(&f, is_unchanged(&old)).await.unwrap();
        f.db.update(Player::update(&old.key()).add_goals(1)).await.unwrap();
        unmet(runs.run(&f, is_unchanged(&old)).await);
    }
}

#[tokio::test]
async fn an_entity_without_a_version_is_unchanged_as_long_as_its_attributes() {
    for runs in BOTH {
        let f = fixture().await;
        let n = f.db.create(&note("n1", "x")).await.unwrap();
        let is_unchanged = |n: &Note| check(&n.key(), n.unchanged());
        runs.run(&f, is_unchanged(&n)).await.unwrap();
        let liked = f.db.update(Note::update(&n.key()).add_likes(1)).await.unwrap();
        unmet(runs.run(&f, is_unchanged(&n)).await);
        runs.run(&f, is_unchanged(&liked)).await.unwrap();
        // What the entity has no value for must not have got one.
        let marked = f.db.update(Note::update(&n.key()).mark(Some(1))).await.unwrap();
        unmet(runs.run(&f, is_unchanged(&liked)).await);
        runs.run(&f, is_unchanged(&marked)).await.unwrap();
        // Attributes that the entity does not know, and defaults that are not stored, change nothing.
        f.add_raw("NOTE#n1", "NOTE", item! { "color" => "red" }).await;
        runs.run(&f, is_unchanged(&marked)).await.unwrap();
        f.write_raw(item! { "PK" => "NOTE#n2", "SK" => "NOTE", "note_id" => "n2", "text" => "x" })
            .await;
        runs.run(&f, is_unchanged(&note("n2", "x"))).await.unwrap();
        unmet(runs.run(&f, is_unchanged(&note("n2", "y"))).await);
    }
}
