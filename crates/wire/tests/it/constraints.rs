//! Members that are missing, too long, too short, or not one of the allowed values: AWS lists all
//! errors in one message.

mod batches;
mod items;
mod pages;
mod transactions;
