//! The names that most operations of a service use: `use monotable_kit::prelude::*;`.

pub use monotable::model::{Condition, Error, Operation, Store, Transact};
pub use monotable::prelude::*;

pub use crate::{
    Answer, Answered, Body, Call, Commit, Created, FieldType, Json, Kind, NoContent, Page, Paged,
    Patch, Path, Problem, Refuse, Reply, Request, Response, Secret, SortedList, SortedPage, View,
    Words, operation,
};
