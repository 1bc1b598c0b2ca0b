//! Transactions that move money and slots.
