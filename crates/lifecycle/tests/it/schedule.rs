//! Backups and drills by a schedule.

use std::fs;
use std::time::Duration;

use monotable_lifecycle::{Control, Schedule};

use crate::world::{NOW_MS, World, put};

const HOUR_MS: u64 = 60 * 60 * 1000;

const SCHEDULE: Schedule = Schedule {
    backup_every: Duration::from_millis(24 * HOUR_MS),
    keep: 2,
    drill_every: Some(Duration::from_millis(12 * HOUR_MS)),
    history: None,
};

#[test]
fn backups_and_drills_are_made_when_they_are_due() {
    let world = World::new(30);
    let lifecycle = &world.lifecycle;
    let run = || lifecycle.run_due(&SCHEDULE, &Control::default()).unwrap();
    let moments = || -> Vec<u64> {
        lifecycle
            .backup_sets()
            .unwrap()
            .iter()
            .map(|set| (set.created_ms - NOW_MS) / HOUR_MS)
            .collect()
    };
    assert_eq!(lifecycle.backup_health().unwrap().newest_ms, None);
    let mut drills = Vec::new();
    for hour in 0..60 {
        run();
        let health = lifecycle.backup_health().unwrap();
        let drill = health.drill.unwrap();
        assert_eq!((drill.failure, drill.tables, health.failure), (None, 2, None));
        drills.push((drill.end_ms - NOW_MS) / HOUR_MS);
        put(world.database(), 100 + hour);
        world.clock.advance_ms(HOUR_MS);
    }
    drills.dedup();
    assert_eq!(drills, [0, 12, 24, 36, 48]);
    assert_eq!(moments(), [24, 48], "the oldest is removed");
    assert_eq!(run(), 12 * HOUR_MS, "the next one is a backup");
}

#[test]
fn damaged_backups_fail_the_drill_and_missing_directories_the_backup() {
    let world = World::new(30);
    let lifecycle = &world.lifecycle;
    let run = || lifecycle.run_due(&SCHEDULE, &Control::default()).unwrap();
    run();
    let rows = lifecycle.backup_sets().unwrap()[0].directory.join("rows-00000");
    let mut bytes = fs::read(&rows).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&rows, bytes).unwrap();
    world.clock.advance_ms(12 * HOUR_MS);
    run();
    let drill = lifecycle.backup_health().unwrap().drill.unwrap();
    assert!(drill.failure.unwrap().contains("rows-00000"));
    // A file stands where the directory of the backups was.
    fs::remove_dir_all(world.path("backups")).unwrap();
    fs::write(world.path("backups"), b"").unwrap();
    world.clock.advance_ms(12 * HOUR_MS);
    assert!(lifecycle.run_due(&SCHEDULE, &Control::default()).is_err());
    fs::remove_file(world.path("backups")).unwrap();
    run();
    let health = lifecycle.backup_health().unwrap();
    assert_eq!((health.newest_ms, health.failure), (Some(world.database().now_ms()), None));
    assert_eq!(health.drill.unwrap().failure, None);
}
