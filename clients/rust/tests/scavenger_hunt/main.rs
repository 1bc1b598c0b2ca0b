//! ScavengerHunt's own tests, with its table behind AWS's SDK and our endpoint.
#![allow(dead_code, reason = "the tests of what is the same in every storage stay where they are")]

#[path = "../it/endpoint.rs"]
mod endpoint;
#[path = "../it/storage.rs"]
mod storage;

#[path = "../../../../services/scavenger-hunt/tests/it/defects.rs"]
mod defects;
#[path = "../../../../services/scavenger-hunt/tests/it/histories.rs"]
mod histories;
#[path = "../../../../services/scavenger-hunt/tests/it/invariants.rs"]
mod invariants;
#[path = "../../../../services/scavenger-hunt/tests/it/photos.rs"]
mod photos;
#[path = "../../../../services/scavenger-hunt/tests/it/positions.rs"]
mod positions;
#[path = "../../../../services/scavenger-hunt/tests/it/scenarios.rs"]
mod scenarios;
#[path = "../../../../services/scavenger-hunt/tests/it/talk.rs"]
mod talk;
#[path = "../../../../services/scavenger-hunt/tests/it/world.rs"]
mod world;
