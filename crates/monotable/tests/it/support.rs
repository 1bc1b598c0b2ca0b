//! What the tests of all seeds share: databases on both stores, literals as the seeds print them,
//! and reads in one line.

pub(crate) mod literal;
pub(crate) mod reading;
pub(crate) mod stores;
pub(crate) mod tables;
