//! The sequential model of one item: a value that is put and a counter that is added to.

use super::linearizability::Model;

/// The attributes of the existing item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attributes {
    /// The value that was put, which is different every time.
    pub value: Option<u64>,
    /// The sum of `ADD` since the item was put or created.
    pub count: Option<i64>,
}

/// An operation on the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// GetItem with a strongly consistent read.
    Get,
    /// PutItem: the value replaces all attributes.
    Put(u64),
    /// PutItem under the condition that the attribute `value` is the expected one, or is absent.
    PutIf {
        /// The expected value.
        expected: Option<u64>,
        /// The value that replaces all attributes.
        value: u64,
    },
    /// UpdateItem with `ADD count`, which returns the new count.
    Add(i64),
    /// DeleteItem, which returns the old item.
    Delete,
}

/// The result of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing but success.
    Done,
    /// The condition was false.
    Refused,
    /// The new count.
    Count(i64),
    /// The item, if there was one.
    Found(Option<Attributes>),
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub struct Item;

impl Model for Item {
    type State = Option<Attributes>;
    type Call = Call;
    type Answer = Answer;

    fn apply(state: &Self::State, call: &Call) -> (Answer, Self::State) {
        let put = |value| Some(Attributes { value: Some(value), count: None });
        let before = state.unwrap_or_default();
        match *call {
            Call::Get => (Answer::Found(*state), *state),
            Call::Put(value) => (Answer::Done, put(value)),
            Call::PutIf { expected, value } if before.value == expected => {
                (Answer::Done, put(value))
            }
            Call::PutIf { .. } => (Answer::Refused, *state),
            Call::Add(amount) => {
                let count = before.count.unwrap_or(0) + amount;
                (Answer::Count(count), Some(Attributes { count: Some(count), ..before }))
            }
            Call::Delete => (Answer::Found(*state), None),
        }
    }
}
