//! 3FC's own tests, with its table behind AWS's SDK and our endpoint.
#![allow(dead_code, reason = "the tests of what is the same in every storage stay where they are")]

#[path = "../it/endpoint.rs"]
mod endpoint;
#[path = "../it/storage.rs"]
mod storage;

#[path = "../../../../services/three-fc/tests/it/accounts.rs"]
mod accounts;
#[path = "../../../../services/three-fc/tests/it/game_histories.rs"]
mod game_histories;
#[path = "../../../../services/three-fc/tests/it/game_rows.rs"]
mod game_rows;
#[path = "../../../../services/three-fc/tests/it/grants.rs"]
mod grants;
#[path = "../../../../services/three-fc/tests/it/invariants.rs"]
mod invariants;
#[path = "../../../../services/three-fc/tests/it/leagues.rs"]
mod leagues;
#[path = "../../../../services/three-fc/tests/it/matchday.rs"]
mod matchday;
#[path = "../../../../services/three-fc/tests/it/players.rs"]
mod players;
#[path = "../../../../services/three-fc/tests/it/public.rs"]
mod public;
#[path = "../../../../services/three-fc/tests/it/result_mails.rs"]
mod result_mails;
#[path = "../../../../services/three-fc/tests/it/scenarios.rs"]
mod scenarios;
#[path = "../../../../services/three-fc/tests/it/season_tables.rs"]
mod season_tables;
#[path = "../../../../services/three-fc/tests/it/seed.rs"]
mod seed;
#[path = "../../../../services/three-fc/tests/it/sign_in.rs"]
mod sign_in;
#[path = "../../../../services/three-fc/tests/it/world.rs"]
mod world;
