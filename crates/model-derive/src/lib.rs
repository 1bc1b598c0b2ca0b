//! The macros of Monotable's modelling layer.
