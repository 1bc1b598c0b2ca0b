//! Changes and plans between designs.
