//! Is there an order of concurrent operations, each at some time between its request and its
//! response, in which a sequential model gives the same responses?
//!
//! The search is that of Wing and Gong with Lowe's two improvements: an operation takes effect no
//! earlier than a response requires, and a state that was reached in one way is not explored again
//! in another. Instead of backtracking, it follows all ways together: after each response it knows
//! every possible state of the item, together with the pending operations that have taken effect
//! already.
//!
//! Operations on different keys are independent, so a history is that of one key.

use std::collections::HashMap;
use std::fmt::{self, Debug, Write as _};
use std::hash::Hash;

#[cfg(test)]
mod tests;

/// A sequential model of the operations of a history.
pub trait Model {
    /// The state between operations; initially the default.
    type State: Clone + Default + Eq + Hash + Debug;
    /// An operation with its arguments.
    type Call: Debug;
    /// Its response.
    type Answer: PartialEq + Debug;

    /// Returns the response in this state, and the state afterwards.
    fn apply(state: &Self::State, call: &Self::Call) -> (Self::Answer, Self::State);
}

/// One operation of a history.
pub struct Operation<M: Model> {
    /// The client.
    pub client: u64,
    /// The request.
    pub call: M::Call,
    /// When it was sent.
    pub invoked: u64,
    /// When the response arrived, and the response. Without one, it is unknown whether the
    /// operation has taken effect, or will at any later time.
    pub answered: Option<(u64, M::Answer)>,
}

/// A response that no order explains.
#[derive(Debug, PartialEq, Eq)]
pub struct Violation(String);

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The maximum number of pending operations, those without a response included.
const UNDER_WAY_MAX: usize = 128;

/// Finds an order that explains all responses, or the first response without one.
///
/// # Panics
///
/// Panics if more operations are pending at a time than the search can distinguish.
pub fn check<M: Model>(history: &[Operation<M>]) -> Result<(), Violation> {
    let mut search = Search::new(history);
    for (_, moment) in moments(history) {
        match moment {
            Moment::Invoked(operation) => search.invoke(operation),
            Moment::Answered(operation) => search.answer(operation)?,
        }
    }
    Ok(())
}

/// Operations by their position in the history. At the same time, requests come before responses:
/// then the operations overlap, and the checker must not invent an order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    Invoked(usize),
    Answered(usize),
}

fn moments<M: Model>(history: &[Operation<M>]) -> Vec<(u64, Moment)> {
    let mut moments = Vec::with_capacity(history.len() * 2);
    for (index, operation) in history.iter().enumerate() {
        moments.push((operation.invoked, Moment::Invoked(index)));
        if let Some((answered, _)) = operation.answered {
            moments.push((answered, Moment::Answered(index)));
        }
    }
    moments.sort_unstable();
    moments
}

/// A bit for each pending operation.
type Bits = u128;

/// A possible configuration: the state, and which pending operations have taken effect.
#[derive(Clone)]
struct Present<S> {
    state: S,
    effective: Bits,
}

struct Search<'a, M: Model> {
    history: &'a [Operation<M>],
    /// The operation of each bit.
    slots: Vec<Option<usize>>,
    /// The bits of operations that never get a response.
    unanswered: Bits,
    presents: Presents<M::State>,
}

impl<'a, M: Model> Search<'a, M> {
    fn new(history: &'a [Operation<M>]) -> Self {
        let mut presents = Presents::default();
        presents.insert(Present { state: M::State::default(), effective: 0 }, 0);
        Self { history, slots: Vec::new(), unanswered: 0, presents }
    }

    fn invoke(&mut self, operation: usize) {
        let free = self.slots.iter().position(Option::is_none);
        let slot = free.unwrap_or_else(|| {
            assert!(self.slots.len() < UNDER_WAY_MAX, "too much is under way on one key");
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[slot] = Some(operation);
        if self.history[operation].answered.is_none() {
            self.unanswered |= 1 << slot;
        }
    }

    /// Continues with the configurations in which the operation has taken effect.
    fn answer(&mut self, operation: usize) -> Result<(), Violation> {
        let held = self.slots.iter().position(|held| *held == Some(operation));
        let slot = held.expect("an answer comes after its call");
        let bit: Bits = 1 << slot;
        let before = std::mem::take(&mut self.presents);
        let mut to_explore: Vec<_> = before.iter().collect();
        let mut explored = Presents::default();
        while let Some(mut present) = to_explore.pop() {
            self.let_readers_read(&mut present);
            if present.effective & bit != 0 {
                present.effective &= !bit;
                self.presents.insert(present, self.unanswered);
            } else if explored.insert(present.clone(), self.unanswered) {
                to_explore.extend(self.one_step_on(&present));
            }
        }
        if self.presents.is_empty() {
            return Err(self.violation(operation, &before));
        }
        self.slots[slot] = None;
        Ok(())
    }

    /// An operation that has read this state and does not change it may take effect now: that
    /// restricts no other operation.
    fn let_readers_read(&self, present: &mut Present<M::State>) {
        for (bit, operation) in self.under_way() {
            if present.effective & bit == 0
                && let Some((_, given)) = &operation.answered
            {
                let (answer, state) = M::apply(&present.state, &operation.call);
                if answer == *given && state == present.state {
                    present.effective |= bit;
                }
            }
        }
    }

    /// Returns the configurations in which one more operation has taken effect.
    fn one_step_on(&self, present: &Present<M::State>) -> impl Iterator<Item = Present<M::State>> {
        self.under_way().filter_map(|(bit, operation)| {
            if present.effective & bit != 0 {
                return None;
            }
            let (answer, state) = M::apply(&present.state, &operation.call);
            match &operation.answered {
                Some((_, given)) if *given != answer => None,
                _ => Some(Present { state, effective: present.effective | bit }),
            }
        })
    }

    fn under_way(&self) -> impl Iterator<Item = (Bits, &Operation<M>)> {
        (self.slots.iter().enumerate())
            .filter_map(|(slot, held)| held.map(|operation| (1 << slot, &self.history[operation])))
    }

    /// Returns the response, and the possible ones.
    fn violation(&self, operation: usize, before: &Presents<M::State>) -> Violation {
        let wrong = &self.history[operation];
        let mut text = format!("no order explains {}", Shown(wrong));
        text.push_str("\nbefore this answer the item could be");
        for present in before.iter().take(SHOWN_MAX) {
            let _ = write!(text, "\n  {:?}", present.state);
        }
        text.push_str("\nunder way were");
        for (_, other) in self.under_way() {
            let _ = write!(text, "\n  {}", Shown(other));
        }
        let now = wrong.answered.as_ref().map_or(u64::MAX, |(answered, _)| *answered);
        let mut earlier: Vec<_> = (self.history.iter())
            .filter(|other| other.answered.as_ref().is_some_and(|(answered, _)| *answered < now))
            .collect();
        earlier.sort_by_key(|other| std::cmp::Reverse(other.answered.as_ref().map(|(at, _)| *at)));
        text.push_str("\nthe answers before were, the last first");
        for other in earlier.into_iter().take(SHOWN_MAX) {
            let _ = write!(text, "\n  {}", Shown(other));
        }
        Violation(text)
    }
}

/// How much of everything a violation contains.
const SHOWN_MAX: usize = 10;

/// An operation in a violation.
struct Shown<'a, M: Model>(&'a Operation<M>);

impl<M: Model> fmt::Display for Shown<'_, M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operation { client, call, invoked, answered } = self.0;
        match answered {
            Some((at, answer)) => {
                write!(formatter, "{invoked}..{at} client {client}: {call:?} = {answer:?}")
            }
            None => write!(formatter, "{invoked}.. client {client}: {call:?}, never answered"),
        }
    }
}

/// A set of configurations without redundant ones: with the same state, and fewer used operations
/// without a response, everything remains possible.
struct Presents<S>(HashMap<(S, Bits), Vec<Bits>>);

impl<S> Default for Presents<S> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<S: Clone + Eq + Hash> Presents<S> {
    /// Returns false if it adds nothing to the existing ones.
    fn insert(&mut self, present: Present<S>, unanswered: Bits) -> bool {
        let used_up = present.effective & unanswered;
        let answering = present.effective & !unanswered;
        let known = self.0.entry((present.state, answering)).or_default();
        if known.iter().any(|fewer| fewer & !used_up == 0) {
            return false;
        }
        known.retain(|more| used_up & !more != 0);
        known.push(used_up);
        true
    }

    fn iter(&self) -> impl Iterator<Item = Present<S>> {
        self.0.iter().flat_map(|((state, answering), known)| {
            let present =
                move |used_up| Present { state: state.clone(), effective: answering | used_up };
            known.iter().map(present)
        })
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
