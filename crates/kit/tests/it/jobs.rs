//! Work in steps: done once, whoever dies in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use expect_test::expect;
use monotable::model::delete;
use monotable::model::rows::Counter;
use monotable::prelude::*;
use monotable_kit::jobs::{JobStep, JobTicket, JobTurn, Jobs, JobsReport, Rounds};
use monotable_kit::{Metrics, Problem};
use monotable_testkit::failing::{Failing, MOMENTS, Moment};

use crate::board::{Board, BoardReads, Pebble, PebbleId, Steps, World, values};

const PEBBLES: usize = 5;

fn steps() -> Counter<Steps> {
    Steps.counter()
}

/// A worker that takes two pebbles away in each step.
fn worker(db: &Store<Board>) -> Jobs<Board> {
    Jobs::new(db.clone()).kind("tidy", async |db: Store<Board>, _: String, cursor: Option<u32>| {
        let page = db.pebbles().consistent().take(2).page().await?;
        let mut step = db.transact().with(steps().add(1));
        for pebble in &page.rows {
            step.add(delete(pebble));
        }
        Ok(match page.next {
            Some(_) => JobStep::next(step, cursor.unwrap_or(0) + 1),
            None => JobStep::done(step),
        })
    })
}

async fn beach() -> World {
    let world = World::new().await;
    for number in 0..PEBBLES {
        let pebble_id = PebbleId::new(format!("p{number}")).unwrap();
        world.db.create(&Pebble { pebble_id }).await.unwrap();
    }
    let ticket = JobTicket::new("tidy", "beach", &"all", world.db.now()).unwrap();
    world.db.create(&ticket).await.unwrap();
    world
}

async fn tickets(world: &World) -> Vec<JobTicket> {
    world.db.job_tickets().page().await.unwrap().rows
}

async fn assert_tidy(world: &World, context: &str) {
    assert_eq!(world.db.pebbles().count().await.unwrap(), 0, "{context}");
    assert_eq!(tickets(world).await, [], "{context}");
    // Each step has happened once: two, two, and the last.
    assert_eq!(world.db.run(steps().value()).await.unwrap(), 3, "{context}");
}

#[tokio::test]
async fn work_is_done_step_by_step_and_its_ticket_goes_with_the_last() {
    let world = beach().await;
    let report = worker(&world.db).run_due().await.unwrap();
    assert_eq!(report, JobsReport { done: 1, ..JobsReport::default() });
    assert_tidy(&world, "").await;
    assert_eq!(worker(&world.db).run_due().await.unwrap(), JobsReport::default());
}

#[tokio::test]
async fn rounds_of_work_are_counted() {
    let world = beach().await;
    let (jobs, metrics) = (worker(&world.db), Metrics::new("board"));
    jobs.measure(&metrics);
    for (kind, due_in) in [("tidy", 60), ("polish", 0)] {
        let due_at = world.db.now() + Duration::from_secs(due_in);
        world.db.create(&JobTicket::new(kind, "later", &"all", due_at).unwrap()).await.unwrap();
    }
    jobs.run_due().await.unwrap();
    let told = values(&metrics);
    expect![[r#"
        monotable_jobs_done_total{service="board"} 1
        monotable_jobs_failed_total{service="board"} 0
        monotable_jobs_waiting{service="board"} 1
        monotable_jobs_unknown{service="board"} 1"#]]
    .assert_eq(&told);
}

/// Runs workers that die at these calls, one after the other, and then one that lives. Tells whether
/// all of them came to die.
async fn crash(fatal: &[usize], moment: Moment) -> bool {
    let world = beach().await;
    let mut all_died = true;
    for fatal in fatal {
        let failing = Failing::at(&world.backend, *fatal, moment);
        // What a dead worker reports, nobody hears.
        let _ = worker(&world.through(failing.clone()).await).run_due().await;
        all_died &= failing.has_died();
        // Whoever died holds the lease until it ends.
        world.pass(Duration::from_secs(60));
    }
    worker(&world.db).run_due().await.unwrap();
    assert_tidy(&world, &format!("{fatal:?} {moment:?}")).await;
    all_died
}

#[tokio::test]
async fn a_worker_may_be_killed_at_any_call() {
    for moment in MOMENTS {
        let mut calls = 0;
        while crash(&[calls], moment).await {
            calls += 1;
        }
        assert!(calls >= 8, "only {calls} calls to die at");
    }
}

#[tokio::test]
async fn workers_may_be_killed_one_after_the_other() {
    for moment in MOMENTS {
        for first in 0..10 {
            for second in 0..10 {
                crash(&[first, second], moment).await;
            }
        }
    }
}

#[tokio::test]
async fn a_lease_keeps_others_away_until_it_ends() {
    let world = beach().await;
    let failing = Failing::at(&world.backend, 2, Moment::Before);
    let _ = worker(&world.through(failing).await).run_due().await;
    world.pass(Duration::from_secs(59));
    assert_eq!(worker(&world.db).run_due().await.unwrap().waiting, 1);
    world.pass(Duration::from_secs(1));
    assert_eq!(worker(&world.db).run_due().await.unwrap().done, 1);
}

#[tokio::test]
async fn two_workers_at_once_do_each_step_once() {
    let world = beach().await;
    let (one, two) = (worker(&world.db), worker(&world.db));
    let (one, two) = tokio::join!(one.run_due(), two.run_due());
    assert_eq!(one.unwrap().done + two.unwrap().done, 1);
    assert_tidy(&world, "").await;
}

#[tokio::test]
async fn work_waits_for_its_time() {
    let world = World::new().await;
    let due_at = world.db.now() + Duration::from_secs(30 * 24 * 60 * 60);
    world.db.create(&JobTicket::new("tidy", "beach", &"all", due_at).unwrap()).await.unwrap();
    assert_eq!(worker(&world.db).run_due().await.unwrap().waiting, 1);
    world.pass(Duration::from_secs(30 * 24 * 60 * 60));
    assert_eq!(worker(&world.db).run_due().await.unwrap().done, 1);
}

#[tokio::test]
async fn work_of_an_unknown_kind_stays_where_it_is() {
    let world = beach().await;
    let before = tickets(&world).await;
    let report = Jobs::new(world.db.clone()).run_due().await.unwrap();
    assert_eq!(report, JobsReport { unknown: 1, ..JobsReport::default() });
    assert_eq!(tickets(&world).await, before);
}

#[tokio::test]
async fn work_that_fails_is_tried_again_later_and_later() {
    let world = World::new().await;
    world.db.create(&JobTicket::new("fail", "x", &(), world.db.now()).unwrap()).await.unwrap();
    let is_broken = Arc::new(AtomicBool::new(true));
    let switch = Arc::clone(&is_broken);
    let jobs = Jobs::new(world.db.clone()).kind("fail", move |db, (): (), _: Option<()>| {
        let (is_broken, step) = (switch.load(Ordering::SeqCst), db.transact());
        async move {
            match is_broken {
                true => Err(Problem::conflict("BROKEN", "It is broken.")),
                false => Ok(JobStep::done(step)),
            }
        }
    });
    for wait_seconds in [1, 2, 4, 8] {
        assert_eq!(jobs.run_due().await.unwrap().failed, 1);
        let [ticket] = &tickets(&world).await[..] else { panic!("there is one ticket") };
        assert_eq!(ticket.last_problem.as_deref(), Some("BROKEN"));
        assert_eq!(ticket.due_at.since(world.db.now()).as_secs(), wait_seconds);
        assert_eq!(jobs.run_due().await.unwrap().waiting, 1);
        world.pass(Duration::from_secs(wait_seconds));
    }
    is_broken.store(false, Ordering::SeqCst);
    assert_eq!(jobs.run_due().await.unwrap().done, 1);
}

#[tokio::test]
async fn a_ticket_of_another_form_fails_and_does_not_stop_others() {
    let world = beach().await;
    let odd = JobTicket::new("tidy", "a-odd", &[1, 2], world.db.now()).unwrap();
    world.db.create(&odd).await.unwrap();
    let report = worker(&world.db).run_due().await.unwrap();
    assert_eq!((report.failed, report.done), (1, 1));
    assert_eq!(tickets(&world).await[0].last_problem.as_deref(), Some("INTERNAL"));
}

#[tokio::test]
async fn long_work_lets_others_have_their_turn() {
    let world = World::new().await;
    for kind in ["long", "tidy"] {
        let ticket = JobTicket::new(kind, "x", &"all", world.db.now()).unwrap();
        world.db.create(&ticket).await.unwrap();
    }
    let jobs =
        worker(&world.db).kind("long", |db, _: String, cursor: Option<u32>| {
            let (step, number) = (db.transact(), cursor.unwrap_or(0) + 1);
            async move {
                Ok(if number < 150 { JobStep::next(step, number) } else { JobStep::done(step) })
            }
        });
    let report = jobs.run_due().await.unwrap();
    assert_eq!((report.waiting, report.done), (1, 1));
    assert_eq!(jobs.run_due().await.unwrap().done, 1);
}

#[tokio::test]
async fn work_is_promised_once_at_a_time() {
    let world = beach().await;
    let again = JobTicket::new("tidy", "beach", &"all", world.db.now()).unwrap();
    assert!(world.db.create(&again).await.is_err());
    assert!(JobTicket::new("tidy", "a#b", &"all", world.db.now()).is_err());
}

#[tokio::test(start_paused = true)]
async fn a_worker_works_until_it_is_dropped() {
    let world = beach().await;
    let jobs = worker(&world.db);
    let (told, mut reports) = tokio::sync::mpsc::unbounded_channel();
    let working = tokio::spawn(async move {
        jobs.run(Duration::from_secs(1), move |report| drop(told.send(report))).await;
    });
    assert_eq!(reports.recv().await.unwrap().unwrap().done, 1);
    let ticket = JobTicket::new("tidy", "beach", &"all", world.db.now()).unwrap();
    world.db.create(&ticket).await.unwrap();
    assert_eq!(reports.recv().await.unwrap().unwrap().done, 1);
    working.abort();
    assert!(working.await.unwrap_err().is_cancelled());
}

/// Rows of a service's own have no place for their failures.
#[tokio::test]
async fn rows_without_failures_of_their_own_wait_longer_after_each_failure() {
    let world = beach().await;
    let (rounds, db) = (Rounds::default(), &world.db);
    let round = async |turn: fn(Pebble) -> Result<JobTurn, Problem>| {
        let (mut report, name) =
            (JobsReport::default(), |pebble: &Pebble| pebble.pebble_id.to_string());
        let turn = |pebble| std::future::ready(turn(pebble));
        rounds.run(db, db.pebbles(), name, turn, &mut report).await.unwrap();
        (report.done, report.failed, report.waiting, report.unknown)
    };
    let mixed = |pebble: Pebble| match pebble.pebble_id.as_ref() {
        "p0" => Ok(JobTurn::Done),
        "p1" => Ok(JobTurn::Unknown),
        "p2" => Err(Problem::changed()),
        "p3" => Ok(JobTurn::Failed),
        _ => Err(Problem::internal("broken")),
    };
    assert_eq!(round(mixed).await, (1, 2, 1, 1));
    // Only the turn that ended with a problem is put off: for a second, then for two.
    assert_eq!(round(|_| Ok(JobTurn::Done)).await, (4, 0, 1, 0));
    world.pass(Duration::from_secs(1));
    assert_eq!(round(|_| Err(Problem::internal("broken"))).await, (0, 5, 0, 0));
    world.pass(Duration::from_secs(1));
    assert_eq!(round(|_| Ok(JobTurn::Done)).await, (4, 0, 1, 0));
    world.pass(Duration::from_secs(1));
    assert_eq!(round(|_| Ok(JobTurn::Done)).await, (5, 0, 0, 0));
}
