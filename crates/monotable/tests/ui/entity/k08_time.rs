use monotable::model::key::{Charset, Form, KeyError, KeyPart, PartKind, PartText};
use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameId(String);

/// A time as people of a place write it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalTime(String);

impl PartText for LocalTime {
    fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
        text.push_str(&self.0);
        Ok(())
    }
}

impl KeyPart for LocalTime {
    const KIND: PartKind = PartKind {
        form: Form::UnsortableTime,
        charset: Charset::Any,
        may_be_empty: false,
        width: 0,
        is_identity: false,
    };

    fn parse(text: &str) -> Result<Self, KeyError> {
        Ok(Self(text.to_owned()))
    }
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
#[index(GSI1: pk = "GAMES", sk = "START#{start}")]
pub struct Game {
    pub game_id: GameId,
    pub start: LocalTime,
}

fn main() {}
