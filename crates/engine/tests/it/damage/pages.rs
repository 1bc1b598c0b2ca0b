//! Pages that are zeroed or swapped, files that are swapped or go on behind their end.

use super::*;

const PAGE_BYTES: usize = 512;

#[test]
fn zeroed_and_swapped_pages_give_an_error_or_the_right_answers() {
    let template = Template::with_text(&"x".repeat(600));
    for (file, bytes) in &template.files {
        let pages = (0..bytes.len()).step_by(PAGE_BYTES);
        for from in pages {
            let to = (from + PAGE_BYTES).min(bytes.len());
            template.try_harm(file, &Harm::Zero { from, to });
            let second = from + PAGE_BYTES;
            if second + PAGE_BYTES <= bytes.len() {
                let harm = Harm::Swap { first: from, second, length: PAGE_BYTES };
                template.try_harm(file, &harm);
            }
        }
    }
    template.remove();
}

#[test]
fn bytes_behind_the_end_of_a_file_give_an_error_or_the_right_answers() {
    let template = Template::new();
    for (file, bytes) in &template.files {
        for more in [vec![0; 3], vec![0; 5_000], vec![7; 90], bytes.clone()] {
            template.try_harm(file, &Harm::Append { bytes: more });
        }
    }
    template.remove();
}

#[test]
fn swapped_files_give_an_error_or_the_right_answers() {
    let template = Template::new();
    let files: Vec<_> = template.files.keys().collect();
    for (number, first) in files.iter().enumerate() {
        for second in &files[number + 1..] {
            let path = template.harm(first, &Harm::Append { bytes: Vec::new() });
            fs::write(path.join(first), &template.files[*second]).unwrap();
            fs::write(path.join(second), &template.files[*first]).unwrap();
            let is_whole = check(&path);
            match open(&path).and_then(|db| answers(&db)) {
                Ok(answers) => assert!(answers == template.answers, "{first:?} {second:?}"),
                Err(error) => {
                    assert_words(&error);
                    assert!(!is_whole, "{first:?} {second:?}: {error}");
                }
            }
        }
    }
    template.remove();
}
