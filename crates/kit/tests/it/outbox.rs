//! Letters: delivered at least once, said once, given up in the end.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use expect_test::expect;
use monotable::dynamodb::{PutItem, Scan};
use monotable::prelude::*;
use monotable::{AttributeValue, Item, map};
use monotable_kit::Metrics;
use monotable_kit::outbox::{
    FileMailer, Lane, Letter, LetterSealer, MailError, Mailer, Mailing, MessageId, Outbox,
    OutboxMessage, OutboxMessageKey, OutboxReport,
};
use monotable_testkit::failing::{Failing, MOMENTS, Moment};

use crate::board::{Board, BoardReads, World, Zeros, values};

/// Remembers what it delivered, and fails as it is told.
#[derive(Default)]
struct Memory {
    letters: Mutex<Vec<Letter>>,
    error: Mutex<Option<MailError>>,
}

impl Memory {
    fn fail(&self, error: impl Into<Option<MailError>>) {
        *self.error.lock().unwrap() = error.into();
    }

    fn subjects(&self) -> Vec<String> {
        self.letters.lock().unwrap().iter().map(|letter| letter.subject.clone()).collect()
    }
}

impl Mailer for Memory {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Mailing<'a> {
        let error = *self.error.lock().unwrap();
        if error.is_none() {
            self.letters.lock().unwrap().push(letter.clone());
        }
        Box::pin(std::future::ready(error.map_or(Ok(()), Err)))
    }
}

/// Never comes back.
struct Hanging;

impl Mailer for Hanging {
    fn deliver<'a>(&'a self, _letter: &'a Letter) -> Mailing<'a> {
        Box::pin(std::future::pending())
    }
}

fn lane() -> Lane {
    Lane::new("mail").unwrap()
}

fn sealer() -> LetterSealer {
    LetterSealer::new(&[7; 32])
}

fn letter(recipient: &str, subject: &str) -> Letter {
    Letter {
        recipient: recipient.to_owned(),
        subject: subject.to_owned(),
        text: "Come and play.".to_owned(),
        deduplication_key: subject.to_owned(),
    }
}

async fn promise(world: &World, id: &str, letter: Letter) {
    let message = OutboxMessage::new("mail", id, letter, &sealer(), world.db.now()).unwrap();
    world.db.create(&message).await.unwrap();
}

fn worker(db: &Store<Board>, mailer: Arc<dyn Mailer>) -> Outbox<Board> {
    Outbox::new(db.clone(), lane(), mailer, sealer(), Arc::new(Zeros))
}

#[tokio::test]
async fn letters_are_delivered_in_order_and_gone() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    promise(&world, "1", letter("ann@example.com", "first")).await;
    promise(&world, "2", letter("ann@example.com", "second")).await;
    let report = worker(&world.db, mailer.clone()).deliver_due().await.unwrap();
    assert_eq!(report, OutboxReport { delivered: 2, ..OutboxReport::default() });
    assert_eq!(mailer.subjects(), ["first", "second"]);
    assert_eq!(world.db.outbox(&lane()).count().await.unwrap(), 0);
}

#[tokio::test]
async fn a_recipient_is_told_the_same_once() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    let outbox = worker(&world.db, mailer.clone());
    for (id, recipient) in [("1", "ann@example.com"), ("2", "Ann@Example.com"), ("3", "bob@x.com")]
    {
        promise(&world, id, letter(recipient, "invited")).await;
    }
    let report = outbox.deliver_due().await.unwrap();
    assert_eq!((report.delivered, report.repeated), (2, 1));

    // It is remembered for 30 days, and forgotten then.
    world.pass(Duration::from_secs(30 * 24 * 60 * 60));
    assert_eq!(outbox.sweep().await.unwrap(), 0);
    promise(&world, "4", letter("bob@x.com", "invited")).await;
    assert_eq!(outbox.deliver_due().await.unwrap().repeated, 1);
    world.pass(Duration::from_secs(1));
    assert_eq!(outbox.sweep().await.unwrap(), 2);
    promise(&world, "5", letter("bob@x.com", "invited")).await;
    assert_eq!(outbox.deliver_due().await.unwrap().delivered, 1);
}

#[tokio::test]
async fn a_letter_is_tried_eight_times_and_then_given_up() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    let (outbox, metrics) = (worker(&world.db, mailer.clone()), Metrics::new("board"));
    outbox.measure(&metrics);
    promise(&world, "1", letter("ann@example.com", "invited")).await;
    mailer.fail(MailError::Later("the line is busy"));
    for wait_seconds in [30, 60, 120, 240, 480, 960, 1920] {
        assert_eq!(outbox.deliver_due().await.unwrap().failed, 1);
        world.pass(Duration::from_secs(wait_seconds - 1));
        assert_eq!(outbox.deliver_due().await.unwrap().waiting, 1);
        world.pass(Duration::from_secs(1));
    }
    assert_eq!(outbox.deliver_due().await.unwrap().dead, 1);
    expect![[r#"
        monotable_outbox_delivered_total{service="board"} 0
        monotable_outbox_failed_total{service="board"} 7
        monotable_outbox_dead_letters_total{service="board"} 1
        monotable_outbox_depth{service="board"} 0"#]]
    .assert_eq(&values(&metrics));
    assert_eq!(world.db.outbox(&lane()).count().await.unwrap(), 0);
    let dead = world.db.dead_letters(&lane()).first().await.unwrap().unwrap();
    assert_eq!((dead.attempts, dead.last_error.as_deref()), (8, Some("the line is busy")));
    assert_eq!(dead.open(&sealer()), Some(letter("ann@example.com", "invited")));
    assert_eq!(dead.open(&LetterSealer::new(&[8; 32])), None);
}

/// The rows of the table as they are stored.
fn stored(world: &World) -> Vec<Item> {
    let page = world.backend.database().scan(Scan::new("board")).unwrap();
    page.items.iter().map(|item| item.to_item()).collect()
}

/// Asserts that the text of a letter is in no row.
#[track_caller]
fn assert_hidden(world: &World) {
    let rows = format!("{:?}", stored(world));
    assert!(rows.contains("ann@example.com") && !rows.contains("Come and"), "{rows}");
}

#[tokio::test]
async fn no_row_shows_the_text_of_a_letter() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    let outbox = worker(&world.db, mailer.clone());
    let invited = letter("ann@example.com", "invited");
    promise(&world, "1", invited.clone()).await;
    assert_hidden(&world);
    mailer.fail(MailError::Later("the line is busy"));
    assert_eq!(outbox.deliver_due().await.unwrap().failed, 1);
    assert_hidden(&world);
    mailer.fail(MailError::Never("there is no such recipient"));
    world.pass(Duration::from_secs(30));
    assert_eq!(outbox.deliver_due().await.unwrap().dead, 1);
    assert_hidden(&world);
    let dead = world.db.dead_letters(&lane()).first().await.unwrap().unwrap();
    assert_eq!(dead.open(&sealer()), Some(invited.clone()));

    mailer.fail(None);
    promise(&world, "2", invited.clone()).await;
    assert_eq!(outbox.deliver_due().await.unwrap().delivered, 1);
    assert_eq!(*mailer.letters.lock().unwrap(), [invited]);
}

/// Makes the letter of the only message one that an older program wrote: its text can be read.
fn unseal(world: &World) {
    let [mut row] = <[Item; 1]>::try_from(stored(world)).unwrap();
    let text = map! {
        "recipient" => "ann@example.com", "subject" => "invited", "text" => "Come and play.",
        "deduplicationKey" => "invited",
    };
    row.insert("letter".to_owned(), text);
    world.backend.database().put_item(PutItem::new("board", row)).unwrap();
}

#[tokio::test]
async fn letters_of_older_programs_are_delivered_or_sealed() {
    let invited = letter("ann@example.com", "invited");
    for error in [None, Some(MailError::Later("busy")), Some(MailError::Never("nobody"))] {
        let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
        promise(&world, "1", invited.clone()).await;
        unseal(&world);
        mailer.fail(error);
        let report = worker(&world.db, mailer.clone()).deliver_due().await.unwrap();
        assert_eq!(
            (report.delivered, report.failed + report.dead),
            match error {
                None => (1, 0),
                Some(_) => (0, 1),
            }
        );
        match error {
            None => assert_eq!(*mailer.letters.lock().unwrap(), std::slice::from_ref(&invited)),
            Some(_) => assert_hidden(&world),
        }
        // The same letter is not delivered again, however its text is kept.
        mailer.fail(None);
        promise(&world, "2", invited.clone()).await;
        let report = worker(&world.db, mailer.clone()).deliver_due().await.unwrap();
        assert_eq!(report.repeated, usize::from(error.is_none()));
    }
}

#[tokio::test]
async fn a_letter_that_kills_its_worker_is_sealed_in_the_end() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    promise(&world, "1", letter("ann@example.com", "invited")).await;
    unseal(&world);
    let message = world.db.outbox(&lane()).first().await.unwrap().unwrap();
    world.db.edit(message, |message| message.attempts = 8).await.unwrap();
    assert_eq!(worker(&world.db, mailer).deliver_due().await.unwrap().dead, 1);
    assert_hidden(&world);
}

#[tokio::test]
async fn a_letter_waits_for_a_server_with_its_key() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    promise(&world, "1", letter("ann@example.com", "invited")).await;
    let other = LetterSealer::new(&[8; 32]);
    let other = Outbox::new(world.db.clone(), lane(), mailer.clone(), other, Arc::new(Zeros));
    assert_eq!(other.deliver_due().await.unwrap().failed, 1);
    world.pass(Duration::from_secs(30));
    let report = worker(&world.db, mailer.clone()).deliver_due().await.unwrap();
    assert_eq!((report.delivered, mailer.subjects()), (1, vec!["invited".to_owned()]));
}

#[tokio::test]
async fn a_text_is_sealed_for_its_message_and_its_recipient() {
    for (attribute, value) in [("messageId", "2"), ("recipient", "eve@example.com")] {
        let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
        promise(&world, "1", letter("ann@example.com", "invited")).await;
        let [mut row] = <[Item; 1]>::try_from(stored(&world)).unwrap();
        let AttributeValue::M(mut letter) = row["letter"].clone() else { unreachable!() };
        if attribute == "messageId" {
            row.insert("SK".to_owned(), value.into());
            row.insert(attribute.to_owned(), value.into());
        } else {
            letter.insert(attribute.to_owned(), value.into());
        }
        row.insert("letter".to_owned(), AttributeValue::M(letter));
        world
            .db
            .delete_by_key(&OutboxMessageKey::new(lane(), MessageId::new("1").unwrap()))
            .await
            .unwrap();
        world.backend.database().put_item(PutItem::new("board", row)).unwrap();
        let report = worker(&world.db, mailer.clone()).deliver_due().await.unwrap();
        assert_eq!((report.failed, mailer.subjects().len()), (1, 0), "{attribute}");
    }
}

#[tokio::test]
async fn who_can_never_be_reached_is_not_tried_again() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    promise(&world, "1", letter("nobody", "invited")).await;
    mailer.fail(MailError::Never("there is no such recipient"));
    assert_eq!(worker(&world.db, mailer.clone()).deliver_due().await.unwrap().dead, 1);
    mailer.fail(None);
    assert_eq!(worker(&world.db, mailer).deliver_due().await.unwrap(), OutboxReport::default());
}

#[tokio::test(start_paused = true)]
async fn a_mailer_that_hangs_is_not_waited_for() {
    let world = World::new().await;
    promise(&world, "1", letter("ann@example.com", "invited")).await;
    assert_eq!(worker(&world.db, Arc::new(Hanging)).deliver_due().await.unwrap().failed, 1);
}

/// Lets a worker die at a call, and another one go on. Tells whether it came to die.
async fn crash(fatal: usize, moment: Moment) -> bool {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    promise(&world, "1", letter("ann@example.com", "first")).await;
    promise(&world, "2", letter("ann@example.com", "second")).await;
    promise(&world, "3", letter("ann@example.com", "first")).await;
    let failing = Failing::at(&world.backend, fatal, moment);
    // What a dead worker reports, nobody hears.
    let _ = worker(&world.through(failing.clone()).await, mailer.clone()).deliver_due().await;
    world.pass(Duration::from_secs(60));
    worker(&world.db, mailer.clone()).deliver_due().await.unwrap();

    let context = format!("{fatal} {moment:?}");
    let told = mailer.subjects();
    for subject in ["first", "second"] {
        let times = told.iter().filter(|told| *told == subject).count();
        assert!((1..=2).contains(&times), "{context}: {told:?}");
    }
    // At most the letter in the dead worker's hands went twice.
    assert!(told.len() <= 3, "{context}: {told:?}");
    assert_eq!(world.db.outbox(&lane()).count().await.unwrap(), 0, "{context}");
    assert_eq!(world.db.dead_letters(&lane()).count().await.unwrap(), 0, "{context}");
    failing.has_died()
}

#[tokio::test]
async fn a_worker_may_be_killed_at_any_call() {
    for moment in MOMENTS {
        let mut calls = 0;
        while crash(calls, moment).await {
            calls += 1;
        }
        assert!(calls >= 7, "only {calls} calls to die at");
    }
}

#[tokio::test]
async fn a_letter_that_kills_its_worker_is_given_up_too() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    promise(&world, "1", letter("ann@example.com", "poison")).await;
    for _ in 0..8 {
        // The query and the claim pass, and nothing behind them.
        let failing = Failing::at(&world.backend, 2, Moment::Before);
        let db = world.through(failing).await;
        assert!(worker(&db, mailer.clone()).deliver_due().await.is_err());
        world.pass(Duration::from_secs(60));
    }
    assert_eq!(worker(&world.db, mailer).deliver_due().await.unwrap().dead, 1);
}

#[tokio::test]
async fn two_workers_at_once_deliver_once() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    promise(&world, "1", letter("ann@example.com", "first")).await;
    let (one, two) = (worker(&world.db, mailer.clone()), worker(&world.db, mailer.clone()));
    let (one, two) = tokio::join!(one.deliver_due(), two.deliver_due());
    assert_eq!(one.unwrap().delivered + two.unwrap().delivered, 1);
    assert_eq!(mailer.subjects(), ["first"]);
}

#[tokio::test]
async fn the_file_mailer_writes_a_letter_into_one_file() {
    let directory = std::env::temp_dir().join(format!("monotable-kit-{}", std::process::id()));
    let mailer = FileMailer::new(&directory);
    let invited = letter("ann@example.com", "invited");
    for _ in 0..2 {
        mailer.deliver(&invited).await.unwrap();
    }
    mailer.deliver(&letter("bob@example.com", "invited")).await.unwrap();
    let mut names: Vec<String> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    // Who sees the names of the files learns nobody's address.
    assert!(names.iter().all(|name| name.len() == 69 && name.ends_with(".json")), "{names:?}");
    let path = directory.join(format!("{}.json", invited.fingerprint()));
    let mode = std::os::unix::fs::MetadataExt::mode(&path.metadata().unwrap());
    assert_eq!(mode & 0o777, 0o600);
    let read: Letter = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(read, invited);
    std::fs::remove_dir_all(directory).unwrap();

    let nowhere = FileMailer::new("/dev/null/nowhere");
    assert!(matches!(nowhere.deliver(&invited).await, Err(MailError::Later(_))));
}

#[tokio::test(start_paused = true)]
async fn a_worker_works_until_it_is_dropped() {
    let (world, mailer) = (World::new().await, Arc::new(Memory::default()));
    let outbox = worker(&world.db, mailer.clone());
    let (told, mut reports) = tokio::sync::mpsc::unbounded_channel();
    let working = tokio::spawn(async move {
        outbox.run(Duration::from_secs(1), move |report| drop(told.send(report))).await;
    });
    assert_eq!(reports.recv().await.unwrap().unwrap(), OutboxReport::default());
    promise(&world, "1", letter("ann@example.com", "first")).await;
    assert_eq!(reports.recv().await.unwrap().unwrap().delivered, 1);
    working.abort();
    assert!(working.await.unwrap_err().is_cancelled());
}
