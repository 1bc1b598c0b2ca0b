//! Members that are missing, too long, too short, or none of the words allowed: AWS lists what is
//! wrong in one message.

mod batches;
mod items;
mod pages;
mod transactions;
