//! HackTracker as a whole.


mod views;
