//! Typed ids and words.

use monotable::model::key::{KeyError, KeyPart, PartText};

use super::declared::{Position, TeamId};

#[test]
fn an_id_has_no_character_that_could_end_it() {
    let id = TeamId::new("t1").unwrap();
    assert_eq!((id.as_str(), id.as_ref(), id.to_string().as_str()), ("t1", "t1", "t1"));
    assert_eq!("t1".parse::<TeamId>().unwrap(), id);
    assert_eq!(TeamId::new(""), Err(KeyError::Empty));
    let wrong = TeamId::new("t1#PLAYER");
    assert!(matches!(wrong, Err(KeyError::Character { character: '#', .. })), "{wrong:?}");
    assert!(TeamId::parse("a b").is_err());
}

#[test]
fn new_ids_differ_and_sort_by_age() {
    let ids: Vec<TeamId> = (0..100).map(|_| TeamId::generate()).collect();
    let mut sorted = ids.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted, ids);
}

#[test]
fn a_word_is_serdes_name_of_the_variant() {
    for (position, word) in [
        (Position::Goalkeeper, "GOALKEEPER"),
        (Position::LeftBack, "LEFT_BACK"),
        (Position::Striker, "9"),
    ] {
        let mut text = String::new();
        position.write(0, &mut text).unwrap();
        assert_eq!(text, word);
        assert_eq!(Position::parse(word), Ok(position));
    }
    assert_eq!(Position::parse("left_back"), Err(KeyError::Unparsable));
}
