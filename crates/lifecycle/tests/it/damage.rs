//! Backups whose bytes have changed.

use std::fs;
use std::path::{Path, PathBuf};

use monotable_lifecycle::{BackupSet, Control, Error};

use crate::world::{World, restore};

/// All files of a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

fn verify(directory: &Path) -> Result<(), Error> {
    BackupSet::open(directory, None)?.verify(&Control::default())
}

#[test]
fn every_changed_byte_of_a_backup_is_detected() {
    let world = World::new(12);
    let directory = world.back_up().directory;
    verify(&directory).unwrap();
    let mut changed = 0;
    for file in files(&directory) {
        let whole = fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&file, &bytes).unwrap();
            let found = verify(&directory);
            assert!(matches!(found, Err(Error::Damaged(_))), "{} {at}: {found:?}", file.display());
            changed += 1;
        }
        fs::write(&file, &whole).unwrap();
    }
    assert!(changed > 3_000, "{changed}");
    verify(&directory).unwrap();
}

#[test]
fn files_that_are_missing_or_cut_off_are_detected_and_nothing_is_restored() {
    let world = World::new(40);
    let directory = world.back_up().directory;
    let into = world.path("restored");
    for file in files(&directory) {
        let whole = fs::read(&file).unwrap();
        fs::write(&file, &whole[..whole.len() / 2]).unwrap();
        assert!(verify(&directory).is_err(), "{}", file.display());
        assert!(restore(&directory, &into).is_err(), "{}", file.display());
        assert!(!into.exists());
        fs::remove_file(&file).unwrap();
        assert!(verify(&directory).is_err(), "{}", file.display());
        assert!(restore(&directory, &into).is_err(), "{}", file.display());
        assert!(!into.exists());
        fs::write(&file, &whole).unwrap();
    }
    // What damaged backups left unfinished is no obstacle.
    restore(&directory, &into).unwrap();
}
