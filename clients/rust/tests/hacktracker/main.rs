//! HackTracker's own tests, with its table behind AWS's SDK and our endpoint.
#![allow(dead_code, reason = "the tests of what is the same in every storage stay where they are")]

#[path = "../it/endpoint.rs"]
mod endpoint;
#[path = "../it/storage.rs"]
mod storage;

#[path = "../../../../services/hacktracker/tests/it/at_bats.rs"]
mod at_bats;
#[path = "../../../../services/hacktracker/tests/it/claims.rs"]
mod claims;
#[path = "../../../../services/hacktracker/tests/it/erasure.rs"]
mod erasure;
#[path = "../../../../services/hacktracker/tests/it/forgetting.rs"]
mod forgetting;
#[path = "../../../../services/hacktracker/tests/it/games.rs"]
mod games;
#[path = "../../../../services/hacktracker/tests/it/histories.rs"]
mod histories;
#[path = "../../../../services/hacktracker/tests/it/invariants.rs"]
mod invariants;
#[path = "../../../../services/hacktracker/tests/it/invites.rs"]
mod invites;
#[path = "../../../../services/hacktracker/tests/it/lineups.rs"]
mod lineups;
#[path = "../../../../services/hacktracker/tests/it/links.rs"]
mod links;
#[path = "../../../../services/hacktracker/tests/it/members.rs"]
mod members;
#[path = "../../../../services/hacktracker/tests/it/place.rs"]
mod place;
#[path = "../../../../services/hacktracker/tests/it/players.rs"]
mod players;
#[path = "../../../../services/hacktracker/tests/it/scenarios.rs"]
mod scenarios;
#[path = "../../../../services/hacktracker/tests/it/schedule.rs"]
mod schedule;
#[path = "../../../../services/hacktracker/tests/it/seasons.rs"]
mod seasons;
#[path = "../../../../services/hacktracker/tests/it/shares.rs"]
mod shares;
#[path = "../../../../services/hacktracker/tests/it/statistics.rs"]
mod statistics;
#[path = "../../../../services/hacktracker/tests/it/team_life.rs"]
mod team_life;
#[path = "../../../../services/hacktracker/tests/it/teams.rs"]
mod teams;
#[path = "../../../../services/hacktracker/tests/it/users.rs"]
mod users;
#[path = "../../../../services/hacktracker/tests/it/world.rs"]
mod world;
