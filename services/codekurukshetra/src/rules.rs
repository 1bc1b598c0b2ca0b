//! The rules of the event: pure functions over what is stored and what a request contains. No storage, no
//! clock.

pub mod college;
pub mod judging;
pub mod payment;
pub mod people;
pub mod registration;
pub mod reminders;
pub mod settings;
pub mod statistics;
pub mod teams;
