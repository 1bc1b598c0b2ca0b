//! Keeps connections busy: one thread, one poller, one request in progress on each connection.
//!
//! This module knows nothing of what is measured beyond an operation and its numbers, and prints
//! nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mio::{Events, Poll, Token};

use crate::connection::{Broken, Connection, Phase};
use crate::numbers::Numbers;
use crate::request::RequestWriter;
use crate::response::{Extent, KeepBody, ResponseReader};
use crate::tally::Tally;
use crate::{Credentials, Endpoint, Error, Operation, Result, sample, table};

/// A response is read in pieces of this size; the page of a query fits in.
const BUFFER_BYTES: usize = 128 << 10;
/// How often a waiting thread checks for a stop.
const LOOK_UP: Duration = Duration::from_millis(100);
/// A server without a response for this long counts as lost.
const SILENCE_MAX: Duration = Duration::from_secs(30);
/// After this many broken connections without a response in between, the server counts as lost.
const LOSSES_IN_A_ROW_MAX: u32 = 100;
/// The number of errors after which a fill is abandoned.
const FILL_ERRORS_MAX: u64 = 1_000;

/// What all threads do.
pub(crate) struct Job<'a> {
    pub(crate) endpoint: &'a Endpoint,
    pub(crate) credentials: &'a Credentials,
    pub(crate) table: &'a str,
    pub(crate) operation: Operation,
    pub(crate) goal: Goal,
}

/// When a job is done, and what happens to requests that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Sends as many requests as get a response in this time; failures are counted.
    Measure { warm_up: Duration, measured: Duration },
    /// Every number once; failures are tried again.
    Fill,
}

/// The state that the threads of a job and its watcher share.
#[derive(Default)]
pub(crate) struct Shared {
    /// The number of responses so far.
    pub(crate) answered: AtomicU64,
    /// Set to end the job early.
    pub(crate) stop: AtomicBool,
}

/// Runs the share of one thread to its end.
pub(crate) fn drive(
    job: &Job<'_>,
    connections: usize,
    numbers: Numbers,
    shared: &Shared,
) -> Result<Tally> {
    let mut driver = Driver::new(job, connections, numbers)?;
    let start = Instant::now();
    driver.run(shared)?;
    driver.tally.time = start.elapsed();
    Ok(driver.tally)
}

struct Driver<'a> {
    job: &'a Job<'a>,
    poll: Poll,
    connections: Vec<Connection>,
    requests: RequestWriter,
    numbers: Numbers,
    tally: Tally,
    measured_from: Instant,
    /// When no more requests are started; a fill has no such time.
    end: Option<Instant>,
    under_way: usize,
    losses_in_a_row: u32,
}

impl<'a> Driver<'a> {
    fn new(job: &'a Job<'a>, connections: usize, numbers: Numbers) -> Result<Self> {
        let poll = Poll::new()?;
        // Only a batch can succeed without doing everything.
        let keep_body = match job.operation {
            Operation::Batch => KeepBody::Always,
            _ => KeepBody::OnError,
        };
        let connections = (0..connections)
            .map(|place| Connection::open(job.endpoint, poll.registry(), Token(place), keep_body))
            .collect::<Result<_>>()?;
        let name = job.operation.dynamodb_name();
        let now = Instant::now();
        let (measured_from, end) = match job.goal {
            Goal::Measure { warm_up, measured } => (now + warm_up, Some(now + warm_up + measured)),
            Goal::Fill => (now, None),
        };
        Ok(Self {
            job,
            poll,
            connections,
            requests: RequestWriter::new(job.endpoint, job.credentials, name),
            numbers,
            tally: Tally::new()?,
            measured_from,
            end,
            under_way: 0,
            losses_in_a_row: 0,
        })
    }

    fn run(&mut self, shared: &Shared) -> Result<()> {
        let mut buffer = vec![0; BUFFER_BYTES];
        let mut events = Events::with_capacity(self.connections.len());
        let now = Instant::now();
        for place in 0..self.connections.len() {
            self.begin_next(place, now)?;
        }
        let mut last_event = now;
        while self.under_way > 0 {
            let wait_from = Instant::now();
            match self.poll.poll(&mut events, Some(LOOK_UP)) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                result => result?,
            }
            let wait_to = Instant::now();
            self.tally.time_waiting += wait_to - wait_from;
            if shared.stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            if events.is_empty() && wait_to - last_event > SILENCE_MAX {
                let seconds = SILENCE_MAX.as_secs();
                return Err(Error::Lost(format!("no response within {seconds} s")));
            }
            let mut answered = 0;
            for event in &events {
                last_event = wait_to;
                let place = event.token().0;
                answered += u64::from(self.serve(place, &mut buffer)?);
            }
            shared.answered.fetch_add(answered, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Does what can be done on one connection; returns whether a response was completed.
    fn serve(&mut self, place: usize, buffer: &mut [u8]) -> Result<bool> {
        let connection = &mut self.connections[place];
        if connection.phase != Phase::Busy {
            // The server closes the connection after its last response.
            return Ok(false);
        }
        match connection.send().and_then(|()| connection.receive(buffer)) {
            Ok(Extent::Partial) => Ok(false),
            Ok(Extent::Complete) => {
                self.losses_in_a_row = 0;
                self.finish(place)?;
                Ok(true)
            }
            Err(broken) => {
                self.lose(place, broken)?;
                Ok(false)
            }
        }
    }

    /// Counts the response of a connection and begins its next request.
    fn finish(&mut self, place: usize) -> Result<()> {
        let now = Instant::now();
        let connection = &mut self.connections[place];
        let failure = failure(self.job.operation, connection.response());
        let is_failure = failure.is_some();
        let is_measured = |at| at >= self.measured_from && self.end.is_none_or(|end| at < end);
        match failure {
            None => {
                if is_measured(now) {
                    self.tally.count_request();
                }
                if is_measured(connection.started) {
                    self.tally.record(now - connection.started);
                }
            }
            Some((code, message)) if is_measured(now) => self.tally.count_error(code, message),
            Some(_) => {}
        }
        let closes = connection.response().closes();
        connection.phase = if closes { Phase::Closed } else { Phase::Idle };
        self.under_way -= 1;
        if is_failure && self.job.goal == Goal::Fill {
            self.begin_again(place)?
        } else {
            self.begin_next(place, now)?
        }
        if closes {
            // The request waited for its connection: that is part of how long it takes.
            self.connections[place].started = now;
        }
        Ok(())
    }

    /// Counts a request whose connection broke, and continues with a new connection.
    fn lose(&mut self, place: usize, broken: Broken) -> Result<()> {
        let (code, message) = match broken {
            Broken::Closed(reason) => ("ConnectionLost", reason),
            Broken::Malformed(reason) => ("MalformedResponse", reason),
        };
        self.losses_in_a_row += 1;
        if self.losses_in_a_row > LOSSES_IN_A_ROW_MAX {
            return Err(Error::Lost(format!("connections break off: {message}")));
        }
        self.tally.count_error(code.to_owned(), message);
        self.under_way -= 1;
        self.connections[place].phase = Phase::Closed;
        match self.job.goal {
            Goal::Fill => self.begin_again(place),
            Goal::Measure { .. } => self.begin_next(place, Instant::now()),
        }
    }

    /// Sends the next request, if there is one.
    fn begin_next(&mut self, place: usize, now: Instant) -> Result<()> {
        if self.end.is_some_and(|end| now >= end) {
            return Ok(());
        }
        match self.numbers.next() {
            Some(number) => self.begin(place, number),
            None => Ok(()),
        }
    }

    /// Sends a request of a fill again.
    fn begin_again(&mut self, place: usize) -> Result<()> {
        if self.tally.errors() > FILL_ERRORS_MAX {
            let reason = self.tally.commonest_error().unwrap_or_default();
            return Err(Error::NotFilled(reason));
        }
        self.begin(place, self.connections[place].number)
    }

    fn begin(&mut self, place: usize, number: u64) -> Result<()> {
        let Self { requests, job, connections, tally, poll, .. } = self;
        if connections[place].phase == Phase::Closed {
            tally.reconnects += 1;
            connections[place].reopen(job.endpoint, poll.registry(), Token(place))?;
        }
        let write = |out: &mut Vec<u8>| {
            requests.write(|body| sample::write_body(job.operation, job.table, number, body), out);
        };
        self.under_way += 1;
        match connections[place].start(number, write) {
            Ok(()) => Ok(()),
            Err(broken) => self.lose(place, broken),
        }
    }
}

/// Returns why a response is not a success, if it isn't: its code and its message.
fn failure(operation: Operation, response: &ResponseReader) -> Option<(String, String)> {
    if response.status() != 200 {
        return Some(table::exception(response.status(), response.body()));
    }
    // Almost every batch gets exactly this response; only others are parsed.
    if operation != Operation::Batch || response.body() == br#"{"UnprocessedItems":{}}"# {
        return None;
    }
    let answer: serde_json::Value = serde_json::from_slice(response.body()).unwrap_or_default();
    let tables = answer["UnprocessedItems"].as_object()?;
    let items: usize = tables.values().filter_map(|items| items.as_array()).map(Vec::len).sum();
    match items {
        0 => None,
        _ => Some(("UnprocessedItems".to_owned(), format!("{items} of 25 items were not written"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_with_unprocessed_items_fail() {
        let check = |status: u16, body: &str| {
            let length = body.len();
            let response = format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\n\r\n{body}");
            let mut reader = ResponseReader::new(KeepBody::Always);
            reader.push(response.as_bytes()).unwrap();
            failure(Operation::Batch, &reader).map(|(code, message)| format!("{code}: {message}"))
        };
        assert_eq!(check(200, r#"{"UnprocessedItems":{}}"#), None);
        assert_eq!(check(200, r#"{ "UnprocessedItems": {"T": []} }"#), None);
        assert_eq!(check(200, "{}"), None);
        assert_eq!(
            check(200, r#"{"UnprocessedItems":{"T":[{},{}]}}"#).unwrap(),
            "UnprocessedItems: 2 of 25 items were not written"
        );
        assert_eq!(
            check(400, r#"{"__type":"a#ThrottlingException","message":"slow"}"#).unwrap(),
            "ThrottlingException: slow"
        );
    }
}
