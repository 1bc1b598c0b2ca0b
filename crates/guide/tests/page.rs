//! The page about services quotes the files that are compiled and run.

#[test]
fn the_page_shows_the_files_of_the_service() {
    let page = include_str!("../../../docs/guide/10-services.md");
    for file in [
        include_str!("../examples/notes/service.rs"),
        include_str!("../examples/notes/main.rs"),
        include_str!("../examples/notes/pages.rs"),
        include_str!("notes.rs"),
    ] {
        assert!(page.contains(&format!("```rust,ignore\n{file}```\n")), "the page lacks\n{file}");
    }
    let template = include_str!("../examples/notes/notes.html");
    assert!(page.contains(&format!("```html\n{template}```\n")), "the page lacks\n{template}");
}

#[test]
fn a_page_takes_a_template_and_fewer_than_forty_lines() {
    assert!(include_str!("../examples/notes/pages.rs").lines().count() < 40);
}
