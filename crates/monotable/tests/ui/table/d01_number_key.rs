#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[key(pk = "{number}")]
pub struct Ticket {
    #[immutable]
    pub number: u64,
}

table! {
    pub Tickets {
        name = "tickets";
        key(number);
        type_attribute = none;
        entities(Ticket);
    }
}

fn main() {}
