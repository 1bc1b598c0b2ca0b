//! The `monotable` command from outside: its processes, its exit codes, and what its server keeps,
//! answers and survives.

mod client;
mod clients;
mod command;
mod items;
mod process;

mod bench;
mod credentials;
mod faults;
mod linearizable;
mod serializable;
mod server_kills;
mod shutdown;
mod start;
