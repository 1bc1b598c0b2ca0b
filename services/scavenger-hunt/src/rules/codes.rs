//! Codes that people scan or type: at levels, and to join teams. They follow from the key of the service, so that a game that
//! is provisioned again has the same ones.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::table::{GameId, LevelId, TeamId};

/// Letters and digits that people do not confuse.
const ALPHABET: [u8; 32] = *b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// The characters of a code at a level: 130 bits.
const SCAN_LENGTH: usize = 26;
/// The characters of a code to join a team: 60 bits, and attempts are counted.
const JOIN_LENGTH: usize = 12;

/// Returns the code at a level.
pub fn scan(key: &[u8; 32], game_id: &GameId, level_id: &LevelId) -> String {
    code(key, &format!("scan|{game_id}|{level_id}"), SCAN_LENGTH)
}

/// Returns the code that lets players join a team.
pub fn join(key: &[u8; 32], game_id: &GameId, team_id: &TeamId) -> String {
    code(key, &format!("join|{game_id}|{team_id}"), JOIN_LENGTH)
}

fn code(key: &[u8; 32], text: &str, length: usize) -> String {
    let Ok(hash) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of every length")
    };
    // No purpose and no id contains the bar.
    let hash = hash.chain_update(text).finalize().into_bytes();
    hash.iter().take(length).map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// Returns a code in the form in which codes are compared. People type it with spaces and dashes, in small letters, and
/// mistake some letters for digits. Of the address of a page that a camera reads, it is the last part.
pub fn normal(code: &str) -> String {
    let code = last_part(code);
    let letters = code.chars().filter(char::is_ascii_alphanumeric).map(|one| {
        match one.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        }
    });
    letters.collect()
}

/// Returns the last part of an address, or the text itself.
pub fn last_part(code: &str) -> &str {
    code.trim().rsplit(['/', '#', '=']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_type_codes_in_many_ways() {
        for typed in
            ["7K3M-9QWX-0A1B", "7k3m9qwxoaib", " 7K3M 9QWX 0AlB ", "https://x/a/7K3M9QWX0A1B"]
        {
            assert_eq!(normal(typed), "7K3M9QWX0A1B");
        }
    }

    #[test]
    fn codes_follow_from_the_key_the_game_and_the_level() {
        let (game, level) = (GameId::new("g").unwrap(), LevelId::new("l").unwrap());
        let code = scan(&[1; 32], &game, &level);
        assert_eq!((code.len(), normal(&code)), (SCAN_LENGTH, code.clone()));
        assert_eq!(scan(&[1; 32], &game, &level), code);
        assert_ne!(scan(&[2; 32], &game, &level), code);
        assert_ne!(scan(&[1; 32], &GameId::new("h").unwrap(), &level), code);
        assert_ne!(scan(&[1; 32], &game, &LevelId::new("m").unwrap()), code);
    }
}
