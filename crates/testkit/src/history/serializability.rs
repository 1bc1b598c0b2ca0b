//! Is there an order of transactions that explains what each has read, and in which none precedes
//! one that had ended when it began?
//!
//! Transactions append values to lists and read lists. Every value is appended once, so a list
//! shows the order of its writers, and the longest list that was read shows it for all. This
//! determines which transactions must precede which; a cycle means that there is no such order.
//! This is the idea of the checker Elle; here with one append to a list per transaction, as in
//! DynamoDB.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::graph::Graph;

#[cfg(test)]
mod tests;
mod violation;

pub use violation::{Before, Violation};

/// The number of a list.
pub type Key = u64;

/// One transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The client.
    pub client: u64,
    /// When it was sent.
    pub invoked: u64,
    /// How it ended.
    pub end: End,
    /// The values that it appended, at most one per list.
    pub appends: Vec<(Key, u64)>,
    /// The lists that it read, before its own appends, including those of its conditions.
    pub reads: Vec<(Key, Vec<u64>)>,
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With success, at this time.
    Committed(u64),
    /// With a response that it was not executed.
    Refused,
    /// Without a response: it was executed if its effect was seen.
    Unknown,
}

impl fmt::Display for Transaction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..", self.invoked)?;
        match self.end {
            End::Committed(answered) => write!(formatter, "{answered}")?,
            End::Refused => write!(formatter, "refused")?,
            End::Unknown => {}
        }
        write!(formatter, " client {}:", self.client)?;
        for (key, value) in &self.appends {
            write!(formatter, " append {value} to list {key};")?;
        }
        for (key, list) in &self.reads {
            write!(formatter, " read list {key} = {list:?};")?;
        }
        Ok(())
    }
}

/// Checks that there is an order, or returns why there is none.
///
/// # Panics
///
/// Panics if a value is appended twice, because the history is then meaningless.
pub fn check(history: &[Transaction]) -> Result<(), Violation> {
    let writers = writers(history);
    let orders = orders(history, &writers)?;
    let happened = happened(history, &orders, &writers);
    let graph = Drawing { history, writers: &writers, orders: &orders, happened: &happened }.draw();
    match graph.cycle() {
        None => Ok(()),
        Some(cycle) => Err(Violation::cycle(history, &cycle)),
    }
}

/// The transaction that appended each value, by position in the history.
type Writers = HashMap<(Key, u64), usize>;

fn writers(history: &[Transaction]) -> Writers {
    let mut writers = Writers::new();
    for (index, transaction) in history.iter().enumerate() {
        for append in &transaction.appends {
            assert_eq!(writers.insert(*append, index), None, "{append:?} is appended twice");
        }
    }
    writers
}

/// The longest list that was read of each key.
type Orders<'a> = HashMap<Key, &'a [u64]>;

/// Every list that was read contains values of transactions that were not refused, each once, and
/// is a prefix of the longest.
fn orders<'a>(history: &'a [Transaction], writers: &Writers) -> Result<Orders<'a>, Violation> {
    let committed = || history.iter().filter(|one| matches!(one.end, End::Committed(_)));
    let mut orders = Orders::new();
    for (key, list) in committed().flat_map(|one| &one.reads) {
        let longest = orders.entry(*key).or_default();
        if list.len() > longest.len() {
            *longest = list;
        }
    }
    for transaction in committed() {
        for (key, list) in &transaction.reads {
            if !orders[key].starts_with(list) {
                return Err(Violation::diverged(transaction, *key, orders[key]));
            }
        }
    }
    for (key, longest) in &orders {
        let mut seen = HashSet::new();
        for value in *longest {
            let writer = writers.get(&(*key, *value)).map(|index| &history[*index]);
            match writer {
                None => return Err(Violation::Invented { key: *key, value: *value }),
                Some(writer) if writer.end == End::Refused => {
                    return Err(Violation::dirty(*key, *value, writer));
                }
                Some(_) if !seen.insert(value) => {
                    return Err(Violation::Doubled { key: *key, value: *value });
                }
                Some(_) => {}
            }
        }
    }
    Ok(orders)
}

/// Which transactions were executed: those that were committed, and those without a response whose
/// effect was read.
fn happened(history: &[Transaction], orders: &Orders<'_>, writers: &Writers) -> Vec<bool> {
    let mut happened: Vec<bool> =
        history.iter().map(|one| matches!(one.end, End::Committed(_))).collect();
    for (key, order) in orders {
        for value in *order {
            happened[writers[&(*key, *value)]] = true;
        }
    }
    happened
}

/// The known facts when the graph is built.
struct Drawing<'a> {
    history: &'a [Transaction],
    writers: &'a Writers,
    orders: &'a Orders<'a>,
    happened: &'a [bool],
}

impl Drawing<'_> {
    fn draw(&self) -> Graph<Before> {
        let mut answers: Vec<(u64, usize)> = (self.history.iter().enumerate())
            .filter_map(|(index, transaction)| match transaction.end {
                End::Committed(answered) => Some((answered, index)),
                End::Refused | End::Unknown => None,
            })
            .collect();
        answers.sort_unstable();
        let mut graph = Graph::new(self.history.len(), answers.len());
        self.draw_time(&answers, &mut graph);
        self.draw_appends(&mut graph);
        self.draw_reads(&mut graph);
        graph
    }

    /// Each response is a passage: from the transactions with responses by then to those sent
    /// later.
    fn draw_time(&self, answers: &[(u64, usize)], graph: &mut Graph<Before>) {
        let passage = |answer: usize| self.history.len() + answer;
        for (answer, (_, index)) in answers.iter().enumerate() {
            graph.add(*index, passage(answer), Before::Time);
            if answer > 0 {
                graph.add(passage(answer - 1), passage(answer), Before::Time);
            }
        }
        for (index, transaction) in self.history.iter().enumerate() {
            let earlier = answers.partition_point(|(answered, _)| *answered < transaction.invoked);
            if self.happened[index] && earlier > 0 {
                graph.add(passage(earlier - 1), index, Before::Time);
            }
        }
    }

    /// The writers of a list come in its order, and those whose values nobody has seen come last.
    fn draw_appends(&self, graph: &mut Graph<Before>) {
        for (key, order) in self.orders {
            for pair in order.windows(2) {
                let [first, second] = [pair[0], pair[1]].map(|value| self.writers[&(*key, value)]);
                graph.add(first, second, Before::Append { key: *key });
            }
        }
        for (index, key) in self.unseen() {
            if let Some(last) = self.orders.get(&key).and_then(|order| order.last()) {
                graph.add(self.writers[&(key, *last)], index, Before::Append { key });
            }
        }
    }

    /// A transaction that has read a list comes after the writer of its last value, and before the
    /// next one.
    fn draw_reads(&self, graph: &mut Graph<Before>) {
        let mut unseen: HashMap<Key, Vec<usize>> = HashMap::new();
        for (index, key) in self.unseen() {
            unseen.entry(key).or_default().push(index);
        }
        for (index, transaction) in self.history.iter().enumerate() {
            if !self.happened[index] {
                continue;
            }
            for (key, list) in &transaction.reads {
                let key = *key;
                if let Some(writer) = list.last().and_then(|last| self.writers.get(&(key, *last))) {
                    graph.add(*writer, index, Before::Read { key });
                }
                match self.orders.get(&key).and_then(|order| order.get(list.len())) {
                    Some(next) => {
                        graph.add(index, self.writers[&(key, *next)], Before::Missed { key });
                    }
                    None => {
                        for later in unseen.get(&key).into_iter().flatten() {
                            graph.add(index, *later, Before::Missed { key });
                        }
                    }
                }
            }
        }
    }

    /// Executed transactions, with the lists in which nobody has seen their values.
    fn unseen(&self) -> impl Iterator<Item = (usize, Key)> {
        let seen: HashSet<(Key, u64)> = (self.orders.iter())
            .flat_map(|(key, order)| order.iter().map(|value| (*key, *value)))
            .collect();
        let happened = (0..self.history.len()).filter(|index| self.happened[*index]);
        happened.flat_map(move |index| {
            let appends = self.history[index].appends.iter();
            let unseen = appends.filter(|append| !seen.contains(append));
            unseen.map(|(key, _)| (index, *key)).collect::<Vec<_>>()
        })
    }
}
