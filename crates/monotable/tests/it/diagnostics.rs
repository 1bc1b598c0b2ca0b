//! What the compiler says about wrong declarations: one file a mistake in `tests/ui`, its message
//! beside it, word for word.

#[test]
fn wrong_declarations_are_told_at_their_place() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
