//! HackTracker as its clients use it: requests through the router, over a table in memory.

mod at_bats;
mod games;
mod scenarios;
mod views;
mod world;
