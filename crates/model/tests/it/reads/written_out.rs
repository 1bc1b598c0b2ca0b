//! Patterns with a fixed value of a field: `OPEN#{number}` reads keys of `{state}#{number}`.

use monotable_model::backend::Embedded;
use monotable_model::{Entity, Id, KeyWord, Rows, access_patterns, table};
use serde::{Deserialize, Serialize};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name(String);

#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum State {
    Open,
    Shut,
}

/// A ticket of a desk.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "DESK#{desk}", sk = "{state}#{name}")]
pub struct Ticket {
    pub desk: Name,
    #[immutable]
    pub state: State,
    pub name: Name,
}

table! {
    /// Tickets by state.
    pub Desks {
        name = "desks";
        key(PK, SK);
        type_attribute = none;
        entities(Ticket);
        patterns(DeskReads);
    }
}

/// The access patterns.
#[access_patterns(Desks)]
pub trait DeskReads {
    /// Open tickets after one.
    #[query(pk = "DESK#{desk}", sk = after("Open#{name}"))]
    fn open_after(&self, desk: &Name, name: &Name) -> Rows<Ticket>;
    /// Open tickets up to one.
    #[query(pk = "DESK#{desk}", sk = ..="Open#{name}")]
    fn open_to(&self, desk: &Name, name: &Name) -> Rows<Ticket>;
    /// Tickets of states after one.
    #[query(pk = "DESK#{desk}", sk = after("{state}"))]
    fn behind(&self, desk: &Name, state: State) -> Rows<Ticket>;
}

#[tokio::test]
async fn a_bound_is_decided_by_its_text() {
    let store = Desks::open(Embedded::memory()).await.unwrap();
    let name = |text: &str| Name::new(text).unwrap();
    let desk = name("d");
    for (state, ticket) in [
        (State::Open, "1"),
        (State::Open, "10"),
        (State::Open, "11"),
        (State::Open, "2"),
        (State::Shut, "1"),
    ] {
        let ticket = Ticket { desk: desk.clone(), state, name: name(ticket) };
        store.create(&ticket).await.unwrap();
    }
    let names = async |rows: Rows<Ticket>| {
        let rows = rows.page().await.unwrap().rows;
        rows.iter().map(|ticket| ticket.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(store.open_after(&desk, &name("1"))).await, ["10", "11", "2"]);
    assert_eq!(names(store.open_to(&desk, &name("1"))).await, ["1"]);
    assert_eq!(names(store.open_to(&desk, &name("10"))).await, ["1", "10"]);
    assert_eq!(names(store.behind(&desk, State::Open)).await, ["1"]);
    assert_eq!(names(store.behind(&desk, State::Shut)).await, [""; 0]);
}
