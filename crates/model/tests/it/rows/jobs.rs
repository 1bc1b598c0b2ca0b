//! Jobs: every step once, whatever crashes in between.

use std::time::Duration;

use monotable_model::rows::{
    Counter, CounterKey as _, Guard, GuardKey as _, Job, JobKey as _, JobRun, JobState, Step,
};
use monotable_model::{Error, Result, Store};
use monotable_testkit::failing::{Failing, MOMENTS, Moment};
use monotable_types::item;

use super::keys::{Done, Level, NamedJob, Provision, RuleTable, slot};
use super::tables::{Club, KeyValue};
use super::world::{START_SECONDS, World, on_every_table};

on_every_table!(
    a_job_does_every_step_once,
    a_job_continues_where_it_stopped,
    a_job_has_one_worker,
    a_worker_that_lost_its_lease_writes_nothing,
    a_job_that_was_never_started_does_not_run,
    a_job_is_started_with_the_command_that_needs_it,
);

const STEPS: u32 = 5;

fn job() -> Job<Provision, u32> {
    Provision { game_id: "g1".to_owned() }.job()
}

fn done() -> Counter<Done> {
    Done {}.counter()
}

fn level(level: u32) -> Guard<Level> {
    Level { game_id: "g1".to_owned(), level }.guard()
}

/// Returns the step at a cursor: counts, and takes a row that can be taken only once.
fn step<T: RuleTable>(cursor: u32) -> Step<T, u32> {
    let step = if cursor + 1 < STEPS { Step::next(cursor + 1) } else { Step::done() };
    step.add(done().add(1)).add(level(cursor).hold("job"))
}

async fn run<T: RuleTable>(db: &Store<T>) -> Result<JobRun> {
    db.run(job().run(|cursor| async move { Ok(step(cursor)) })).await
}

async fn a_job_does_every_step_once<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    assert_eq!(db.run(job().status()).await.unwrap(), None);
    db.run(job().start(0)).await.unwrap();
    assert!(matches!(db.run(job().start(0)).await, Err(Error::Exists { entity: "job" })));
    assert_eq!(run(db).await.unwrap(), JobRun { steps: 5 });
    assert_eq!(db.run(done().value()).await.unwrap(), 5);
    let status = db.run(job().status()).await.unwrap().unwrap();
    assert_eq!((status.state, status.cursor, status.version), (JobState::Done, 4, 7));
    assert_eq!(run(db).await.unwrap(), JobRun { steps: 0 });
    assert_eq!(db.run(done().value()).await.unwrap(), 5);
}

async fn a_job_continues_where_it_stopped<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    db.run(job().start(0)).await.unwrap();
    let fails = |cursor| async move {
        match cursor {
            2 => Err(Error::LimitReached { what: "patience".into(), retry_after_seconds: None }),
            cursor => Ok(step(cursor)),
        }
    };
    assert!(matches!(db.run(job().run(fails)).await, Err(Error::LimitReached { .. })));
    let status = db.run(job().status()).await.unwrap().unwrap();
    assert_eq!((status.state, status.cursor), (JobState::Running, 2));
    // A step whose writes are refused stops the job, too.
    let level = level(3);
    db.run(level.hold("somebody")).await.unwrap();
    let Err(Error::Transaction { failures }) = run(db).await else { panic!("the row is taken") };
    assert_eq!(failures[0].label.to_string(), "hold guard");
    assert_eq!(failures[0].key, "game#g1 / level#0000000003");
    db.run(level.release("somebody")).await.unwrap();
    // Both released the job, so that no worker waits for the end of a lease.
    assert_eq!(run(db).await.unwrap(), JobRun { steps: 2 });
    assert_eq!(db.run(done().value()).await.unwrap(), 5);
}

async fn a_job_has_one_worker<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    db.run(job().start(0)).await.unwrap();
    let meddling = |cursor| async move {
        assert!(matches!(run(db).await, Err(Error::Locked { .. })));
        Ok(step(cursor))
    };
    assert_eq!(db.run(job().run(meddling)).await.unwrap(), JobRun { steps: 5 });
}

async fn a_worker_that_lost_its_lease_writes_nothing<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    db.run(job().start(0)).await.unwrap();
    let world = &world;
    let slow = |cursor| async move {
        if cursor == 2 {
            world.pass(30);
            // Another worker takes over, and stops before the end.
            let other = |cursor| async move {
                match cursor {
                    4 => Err(Error::IdempotencyReused),
                    cursor => Ok(step(cursor)),
                }
            };
            assert!(db.run(job().run(other)).await.is_err());
        }
        Ok(step(cursor))
    };
    assert!(matches!(db.run(job().run(slow)).await, Err(Error::Locked { .. })));
    assert_eq!(db.run(done().value()).await.unwrap(), 4);
    assert_eq!(run(db).await.unwrap(), JobRun { steps: 1 });
    assert_eq!(db.run(done().value()).await.unwrap(), 5);
}

async fn a_job_that_was_never_started_does_not_run<T: RuleTable>(world: World<T>) {
    assert!(matches!(run(&world.db).await, Err(Error::NotFound { entity: "job" })));
    assert!(world.rows().await.is_empty());
}

async fn a_job_is_started_with_the_command_that_needs_it<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let command = || db.transact().with(slot("state").hold("x")).with(job().start(3));
    command().await.unwrap();
    assert!(matches!(command().await, Err(Error::Transaction { .. })));
    assert_eq!(run(db).await.unwrap(), JobRun { steps: 2 });
}

#[tokio::test]
async fn progress_is_a_value_in_a_row() {
    let world = World::<KeyValue>::new().await;
    let job = || job().lease(Duration::from_secs(60));
    world.db.run(job().start(3)).await.unwrap();
    let world = &world;
    let looking = |cursor| async move {
        if cursor == 4 {
            let row = world.row("job#provision", "game#g1").await.unwrap();
            assert_eq!(
                row,
                item! {
                    "pk" => "job#provision", "sk" => "game#g1", "ct" => "application/json",
                    "v" => r#"{"state":"running","cursor":4}"#, "ver" => 3,
                    "lease" => START_SECONDS + 60,
                }
            );
        }
        Ok(step(cursor))
    };
    world.db.run(job().run(looking)).await.unwrap();
    let row = world.row("job#provision", "game#g1").await.unwrap();
    assert_eq!(row["v"].as_s(), Some(r#"{"state":"done","cursor":4}"#));
    assert!(!row.contains_key("lease"));

    let world = World::<Club>::new().await;
    world.db.run(NamedJob {}.job().start(3)).await.unwrap();
    let row = world.row("job#named", "game").await.unwrap();
    assert_eq!(row["progress"], monotable_types::map! { "state" => "running", "cursor" => 3 });
    assert_eq!((&row["rev"], &row["ItemType"]), (&1.into(), &"JOB".into()));
}

/// Runs the job on backends that each fail after a number of calls, and then on one that does not
/// fail.
async fn crash(calls: &[usize], moment: Moment) -> usize {
    let world = World::<KeyValue>::new().await;
    world.db.run(job().start(0)).await.unwrap();
    let mut last = 0;
    for calls in calls {
        let failing = Failing::at(&world.backend, *calls, moment);
        let crashing = world.through(failing.clone()).await;
        assert_eq!(run(&crashing).await.is_err(), failing.has_died());
        last = failing.calls();
        // Whoever died holds the lease until it ends.
        world.pass(30);
    }
    run(&world.db).await.unwrap();
    let context = format!("{calls:?} {moment:?}");
    assert_eq!(world.db.run(done().value()).await.unwrap(), i64::from(STEPS), "{context}");
    for level in 0..STEPS {
        assert!(world.db.run(self::level(level).holder()).await.unwrap().is_some(), "{context}");
    }
    let status = world.db.run(job().status()).await.unwrap().unwrap();
    assert_eq!(status.state, JobState::Done, "{context}");
    last
}

#[tokio::test]
async fn every_step_is_done_once_whenever_the_worker_dies() {
    for moment in MOMENTS {
        let calls_max = crash(&[1000], moment).await;
        assert!(calls_max > 2 * STEPS as usize, "{calls_max}");
        for calls in 0..=calls_max {
            crash(&[calls], moment).await;
        }
    }
}

#[tokio::test]
async fn every_step_is_done_once_however_often_the_worker_dies() {
    for moment in MOMENTS {
        for calls in 2..8 {
            crash(&[calls; 6], moment).await;
            crash(&[calls, 3, calls + 1, 2], moment).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_workers_at_once_do_every_step_once() {
    let world = World::<KeyValue>::new().await;
    world.db.run(job().start(0)).await.unwrap();
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let db = world.db.clone();
            tokio::spawn(async move { run(&db).await })
        })
        .collect();
    let mut steps = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(run) => steps += run.steps,
            Err(error) => assert!(matches!(error, Error::Locked { .. }), "{error}"),
        }
    }
    assert_eq!(steps, u64::from(STEPS));
    assert_eq!(world.db.run(done().value()).await.unwrap(), i64::from(STEPS));
}
