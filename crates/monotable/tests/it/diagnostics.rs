//! Compile-time errors of wrong declarations: one file per mistake in `tests/ui`, next to it the
//! complete message.

#[test]
fn wrong_declarations_are_reported_at_their_location() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
