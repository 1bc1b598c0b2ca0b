//! btl.run's own tests, with its table behind AWS's SDK and our endpoint.
#![allow(dead_code, reason = "the tests of what is the same in every storage stay where they are")]

#[path = "../it/endpoint.rs"]
mod endpoint;
#[path = "../it/storage.rs"]
mod storage;

#[path = "../../../../services/btl-run/tests/it/allies.rs"]
mod allies;
#[path = "../../../../services/btl-run/tests/it/at_once.rs"]
mod at_once;
#[path = "../../../../services/btl-run/tests/it/ended.rs"]
mod ended;
#[path = "../../../../services/btl-run/tests/it/exported.rs"]
mod exported;
#[path = "../../../../services/btl-run/tests/it/game_master.rs"]
mod game_master;
#[path = "../../../../services/btl-run/tests/it/invariants.rs"]
mod invariants;
#[path = "../../../../services/btl-run/tests/it/joining.rs"]
mod joining;
#[path = "../../../../services/btl-run/tests/it/me.rs"]
mod me;
#[path = "../../../../services/btl-run/tests/it/odd_rows.rs"]
mod odd_rows;
#[path = "../../../../services/btl-run/tests/it/once.rs"]
mod once;
#[path = "../../../../services/btl-run/tests/it/opening.rs"]
mod opening;
#[path = "../../../../services/btl-run/tests/it/played.rs"]
mod played;
#[path = "../../../../services/btl-run/tests/it/players.rs"]
mod players;
#[path = "../../../../services/btl-run/tests/it/reading.rs"]
mod reading;
#[path = "../../../../services/btl-run/tests/it/recaps.rs"]
mod recaps;
#[path = "../../../../services/btl-run/tests/it/repairs.rs"]
mod repairs;
#[path = "../../../../services/btl-run/tests/it/scenarios.rs"]
mod scenarios;
#[path = "../../../../services/btl-run/tests/it/token_renewal.rs"]
mod token_renewal;
#[path = "../../../../services/btl-run/tests/it/turns.rs"]
mod turns;
#[path = "../../../../services/btl-run/tests/it/world.rs"]
mod world;
