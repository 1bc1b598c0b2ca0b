//! Every byte of a database of 256 KiB changed, or as many as there is time for.

use super::*;

/// Text of an item, so that the tables and the log have 256 KiB together.
const TEXT_BYTES: usize = 6_400;
const DATABASE_BYTES: usize = 256 << 10;

/// Changes bytes of the files that are to be changed, evenly spread over all of them.
fn flip(name: &str, is_chosen: impl Fn(&Path) -> bool) {
    let template = Template::with_text(&"x".repeat(TEXT_BYTES));
    let total: usize = template.files.values().map(Vec::len).sum();
    assert!(total >= DATABASE_BYTES, "{total}");
    assert!(check(&template.place.database()));
    let mut random = Random::new(announce(name));
    let places: Vec<(&PathBuf, usize)> = template
        .files
        .iter()
        .filter(|(file, _)| is_chosen(file))
        .flat_map(|(file, bytes)| (0..bytes.len()).map(move |at| (file, at)))
        .collect();
    let step = (total / figure("MONOTABLE_DAMAGE_FLIPS", 500) as usize).max(1);
    let first = random.below(step as u64) as usize;
    for (file, at) in places.iter().skip(first).step_by(step) {
        template.try_harm(file, &Harm::Flip { at: *at, bits: 1 << random.below(8) });
    }
    println!("{} bytes of {total} changed", places.len().div_ceil(step));
    template.remove();
}

#[test]
fn a_changed_byte_of_a_table_gives_an_error_or_the_right_answers() {
    flip("a_changed_byte_of_a_table_gives_an_error_or_the_right_answers", |file| {
        file.starts_with("tables")
    });
}

#[test]
fn a_changed_byte_of_the_log_gives_an_error_or_the_right_answers() {
    flip("a_changed_byte_of_the_log_gives_an_error_or_the_right_answers", |file| {
        !file.starts_with("tables")
    });
}

/// The small files are changed at every byte in every run.
#[test]
fn a_changed_byte_of_a_small_file_gives_an_error_or_the_right_answers() {
    const SMALL_BYTES: usize = 600;
    let template = Template::new();
    let name = "a_changed_byte_of_a_small_file_gives_an_error_or_the_right_answers";
    let mut random = Random::new(announce(name));
    for (file, bytes) in template.files.iter().filter(|(_, bytes)| bytes.len() <= SMALL_BYTES) {
        for at in 0..bytes.len() {
            template.try_harm(file, &Harm::Flip { at, bits: 1 << random.below(8) });
        }
    }
    template.remove();
}
