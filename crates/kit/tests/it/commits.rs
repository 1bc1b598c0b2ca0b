//! Transactions of commands: what their failures mean, what they reply, and what is counted of them.

mod refusals;
mod replies;
