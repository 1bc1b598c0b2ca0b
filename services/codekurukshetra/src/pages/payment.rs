//! The page of the simulated gateway, and the page to which browsers come back from a gateway.

pub(crate) mod callback;
pub(crate) mod pay;
pub(crate) mod simulated;
