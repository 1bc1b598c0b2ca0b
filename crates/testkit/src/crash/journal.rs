//! The acknowledgement journal: what the writer intended to do, and the results.
//!
//! One line per event, each passed to the operating system by one `write(2)`, so it survives a
//! kill. It is outside the database's directory: no fault affects it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use super::{Failure, Outcome, ensure};

/// The state of the database after a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A read failed; nothing was written, and writing may continue.
    Unread,
    /// Writing failed; whether it happened is unknown, and nothing may be acknowledged after it.
    Poisoned,
}

/// What happened to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It is about to be requested.
    Intended,
    /// The engine reported success.
    Acknowledged,
    /// The engine reported a failure, or an unknown result.
    Refused(Refusal),
}

impl Event {
    fn word(self) -> &'static str {
        match self {
            Self::Intended => "intended",
            Self::Acknowledged => "acknowledged",
            Self::Refused(Refusal::Unread) => "unread",
            Self::Refused(Refusal::Poisoned) => "poisoned",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        let events = [
            Self::Intended,
            Self::Acknowledged,
            Self::Refused(Refusal::Unread),
            Self::Refused(Refusal::Poisoned),
        ];
        events.into_iter().find(|event| event.word() == word)
    }
}

/// The writer's side. Threads share it.
pub struct Journal(File);

impl Journal {
    /// Starts a journal.
    pub fn create(path: &Path) -> std::io::Result<Self> {
        Ok(Self(OpenOptions::new().create_new(true).append(true).open(path)?))
    }

    /// Adds a line.
    pub fn note(&self, thread: u64, sequence: u64, event: Event) -> std::io::Result<()> {
        let line = format!("{} {thread} {sequence}\n", event.word());
        (&self.0).write_all(line.as_bytes())
    }
}

/// The events of each thread in a journal: operation 0, 1, … in order.
pub struct Record(BTreeMap<u64, Vec<Event>>);

impl Record {
    /// Reads a journal. A missing one is empty: its writer was killed before it started.
    pub fn read(path: &Path) -> Outcome<Self> {
        let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
        // A kill can cut the last line where it crosses a page; then it was not written.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut threads: BTreeMap<u64, Vec<Event>> = BTreeMap::new();
        for line in whole.lines() {
            let (thread, sequence, event) =
                parse(line).ok_or_else(|| Failure::new(format!("journal line {line:?}")))?;
            let events = threads.entry(thread).or_default();
            match event {
                Event::Intended => events.push(event),
                outcome => {
                    let last = events.last_mut().filter(|last| **last == Event::Intended);
                    let last = last.ok_or_else(|| Failure::new(format!("unintended: {line:?}")))?;
                    *last = outcome;
                }
            }
            let expected = events.len() as u64 - 1;
            ensure!(sequence == expected, "journal line {line:?} where {expected} was next");
        }
        Ok(Self(threads))
    }

    /// Returns the events of a thread, one an operation; only the last can be `Intended`.
    pub fn thread(&self, thread: u64) -> &[Event] {
        self.0.get(&thread).map_or(&[], Vec::as_slice)
    }

    /// Returns how many operations ended like this.
    pub fn count(&self, event: Event) -> usize {
        self.0.values().flatten().filter(|known| **known == event).count()
    }
}

fn parse(line: &str) -> Option<(u64, u64, Event)> {
    let mut words = line.split(' ');
    let event = Event::parse(words.next()?)?;
    let thread = words.next()?.parse().ok()?;
    let sequence = words.next()?.parse().ok()?;
    words.next().is_none().then_some((thread, sequence, event))
}
