//! Designs of usual shapes, as strangers write them: they keep every rule and work.

mod accounts;
mod expiring_accounts;
mod forum;
mod graph;
mod words;
