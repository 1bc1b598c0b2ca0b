//! The macros of Monotable's modelling layer.
//!
//! Each macro reads a declaration into a model first and collects every error on the way; only then
//! does it write code. Generated code talks to the library's hidden module `codegen` and to nothing
//! else. Rules that need more than one declaration are not here: they run on the generated constants
//! (`monotable_design::check`).

mod allow;
mod crate_path;
mod diagnostics;
mod template;
mod types;
