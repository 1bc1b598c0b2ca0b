//! The workload of the writer: an endless sequence of operations per thread, determined by the
//! seed.
//!
//! Every thread has its own items, so the order of changes of an item is the order of its thread's
//! requests. The items of all threads are in the same partitions of the table and of its indexes,
//! and all threads add to the same few counters.

use monotable_types::{AttributeValue, Item, item};

use super::seed::Random;

/// The table.
pub const TABLE: &str = "crash";
/// The index that contains whole items, by `group` and `place`.
pub const BY_GROUP: &str = "by-group";
/// The index that contains only keys, by `grade` and the number `rank`.
pub const BY_GRADE: &str = "by-grade";
/// How many partitions the items are spread over.
pub const PARTITIONS: u64 = 6;
/// How many counters the threads share.
pub const COUNTERS: u64 = 2;
/// The maximum number of threads. A writer may have fewer than the one before it.
pub const THREADS_MAX: u64 = 8;
/// How many items a thread has.
const SLOTS: u64 = 12;
const GROUPS: u64 = 5;
const GRADES: u64 = 3;

/// A primary key: partition key and sort key.
pub type Key = (String, String);

/// The position of an item in the index by group after an update.
#[derive(Clone, Debug, PartialEq)]
pub enum Placing {
    /// Unchanged.
    Keep,
    /// In this group.
    Move {
        /// The new group.
        group: String,
        /// The new place in it.
        place: String,
    },
    /// In no group.
    Leave,
}

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// PutItem.
    Put(Item),
    /// UpdateItem of an item's body, number of changes, and placing.
    Update {
        /// The item.
        key: Key,
        /// The last writer.
        writer: String,
        /// The new body.
        body: String,
        /// The new position in the index.
        placing: Placing,
    },
    /// DeleteItem; often of a missing item.
    Delete(Key),
    /// UpdateItem that adds 1 to a shared counter.
    Count(u64),
    /// TransactWriteItems: puts in different partitions, and 1 for a shared counter.
    Transact {
        /// The items.
        puts: Vec<Item>,
        /// The counter.
        counter: u64,
    },
    /// BatchWriteItem.
    Batch {
        /// Items to put.
        puts: Vec<Item>,
        /// Keys to delete.
        deletes: Vec<Key>,
    },
}

/// The operations of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Determines everything else.
    pub seed: u64,
    /// How many threads write, up to [`THREADS_MAX`].
    pub threads: u64,
    /// How long an item's body may be.
    pub body_bytes_max: u64,
}

impl Workload {
    /// Returns the operations of one thread, without end.
    pub fn operations(&self, thread: u64) -> impl Iterator<Item = Operation> + use<> {
        let mut random = Random::part(self.seed, thread);
        let body_bytes_max = self.body_bytes_max;
        let seed = self.seed;
        (0_u64..).map(move |sequence| {
            let writer = format!("{seed}/{thread}/{sequence}");
            Maker { thread, writer, body_bytes_max, random: &mut random }.operation()
        })
    }
}

/// Creates one operation.
struct Maker<'a> {
    thread: u64,
    writer: String,
    body_bytes_max: u64,
    random: &'a mut Random,
}

impl Maker<'_> {
    fn operation(mut self) -> Operation {
        let slot = self.random.below(SLOTS);
        match self.random.below(100) {
            0..30 => Operation::Put(self.item(slot)),
            30..50 => Operation::Update {
                key: slot_key(self.thread, slot),
                body: self.body(),
                placing: self.placing(),
                writer: self.writer,
            },
            50..65 => Operation::Delete(slot_key(self.thread, slot)),
            65..75 => Operation::Count(self.random.below(COUNTERS)),
            75..90 => Operation::Transact {
                // Neighbouring slots are in different partitions.
                puts: (slot..slot + 4).map(|slot| self.item(slot % SLOTS)).collect(),
                counter: self.random.below(COUNTERS),
            },
            _ => Operation::Batch {
                puts: (slot..slot + 3).map(|slot| self.item(slot % SLOTS)).collect(),
                deletes: (slot + 3..slot + 5)
                    .map(|slot| slot_key(self.thread, slot % SLOTS))
                    .collect(),
            },
        }
    }

    /// Returns a whole item; in three of four cases it is in the index by group, in one of two by
    /// grade.
    fn item(&mut self, slot: u64) -> Item {
        let (partition, sort) = slot_key(self.thread, slot);
        let mut item = item! {
            "PK" => partition,
            "SK" => sort,
            "writer" => self.writer.as_str(),
            "body" => self.body(),
        };
        if self.random.percent(75) {
            item.insert("group".into(), self.group().into());
            item.insert("place".into(), self.place().into());
        }
        if self.random.percent(50) {
            item.insert("grade".into(), format!("GRADE#{}", self.random.below(GRADES)).into());
            item.insert("rank".into(), AttributeValue::from(self.random.below(1000)));
        }
        item
    }

    fn placing(&mut self) -> Placing {
        match self.random.below(3) {
            0 => Placing::Keep,
            1 => Placing::Move { group: self.group(), place: self.place() },
            _ => Placing::Leave,
        }
    }

    fn group(&mut self) -> String {
        format!("GROUP#{}", self.random.below(GROUPS))
    }

    fn place(&mut self) -> String {
        format!("{:03}", self.random.below(1000))
    }

    /// Mostly short, sometimes as long as allowed.
    fn body(&mut self) -> String {
        let bound = if self.random.percent(70) { 120 } else { self.body_bytes_max };
        let length = usize::try_from(self.random.below(bound)).unwrap_or(0);
        let letter = char::from(b'a' + u8::try_from(self.random.below(26)).unwrap_or(0));
        letter.to_string().repeat(length)
    }
}

fn slot_key(thread: u64, slot: u64) -> Key {
    (format!("PART#{}", (thread + slot) % PARTITIONS), format!("THREAD#{thread:02}#{slot:02}"))
}

/// Returns the keys of all items that a thread may have.
pub fn keys_of(thread: u64) -> impl Iterator<Item = Key> {
    (0..SLOTS).map(move |slot| slot_key(thread, slot))
}

/// Returns the key of a shared counter.
pub fn counter_key(counter: u64) -> Key {
    (format!("COUNTER#{counter}"), "COUNTER".to_owned())
}

/// Returns a key in the engine's form.
pub fn key_item((partition, sort): &Key) -> Item {
    item! { "PK" => partition.as_str(), "SK" => sort.as_str() }
}

/// Returns the key of an item.
pub fn key_of(item: &Item) -> Key {
    let text = |name: &str| {
        let value = item.get(name).and_then(AttributeValue::as_s);
        value.map(str::to_owned).unwrap_or_default()
    };
    (text("PK"), text("SK"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_determines_the_operations() {
        let workload = Workload { seed: 7, threads: 2, body_bytes_max: 400 };
        let take = |thread| workload.operations(thread).take(200).collect::<Vec<_>>();
        assert_eq!(take(0), take(0));
        assert_ne!(take(0), take(1));
    }

    #[test]
    fn the_puts_of_a_transaction_are_in_different_partitions() {
        let workload = Workload { seed: 7, threads: 1, body_bytes_max: 400 };
        for operation in workload.operations(0).take(500) {
            if let Operation::Transact { puts, .. } = operation {
                let mut partitions: Vec<String> = puts.iter().map(|item| key_of(item).0).collect();
                partitions.sort();
                partitions.dedup();
                assert_eq!(partitions.len(), 4);
            }
        }
    }
}
