//! Codes that people show: one for their arrival, and one in the link of their certificate. They follow from the key
//! of the service, so that none is stored and none can be made up.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::api::prelude::*;

/// Letters and digits that people do not confuse.
const ALPHABET: [u8; 32] = *b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// The characters of a code for arrivals, in groups of four.
const ARRIVAL_LENGTH: usize = 12;
/// The bytes of a signature in a link.
const SIGNATURE_BYTES: usize = 12;

/// Returns the code that a participant shows at the arrival, such as `7K3M-9QWX-0A2B`.
pub(crate) fn arrival(app: &App, participant_id: &ParticipantId) -> String {
    let hash = keyed(app, "arrival", participant_id).finalize().into_bytes();
    let letters = hash.iter().take(ARRIVAL_LENGTH).map(|byte| ALPHABET[usize::from(byte % 32)]);
    let mut code = String::new();
    for (position, letter) in letters.enumerate() {
        if position > 0 && position % 4 == 0 {
            code.push('-');
        }
        code.push(char::from(letter));
    }
    code
}

/// Returns a code in the form in which codes are compared. People type it without dashes, in small letters, and
/// mistake some letters for digits.
pub(crate) fn normal(code: &str) -> String {
    let letters = code.chars().filter(char::is_ascii_alphanumeric).map(|one| {
        match one.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        }
    });
    letters.collect()
}

/// Returns the code in the link of a participant's certificate.
pub(crate) fn certificate(app: &App, participant_id: &ParticipantId) -> String {
    let hash = keyed(app, "certificate", participant_id).finalize().into_bytes();
    format!("{participant_id}.{}", hex::encode(&hash[..SIGNATURE_BYTES]))
}

/// Returns the participant of a certificate; `None` if the service has not signed it.
pub(crate) fn certified(app: &App, code: &str) -> Option<ParticipantId> {
    let (participant_id, signature) = code.rsplit_once('.')?;
    let participant_id: ParticipantId = participant_id.parse().ok()?;
    let signature: [u8; SIGNATURE_BYTES] = hex::decode(signature).ok()?.try_into().ok()?;
    let hash = keyed(app, "certificate", &participant_id);
    hash.verify_truncated_left(&signature).is_ok().then_some(participant_id)
}

fn keyed(app: &App, purpose: &str, participant_id: &ParticipantId) -> Hmac<Sha256> {
    let Ok(hash) = Hmac::<Sha256>::new_from_slice(&app.code_key) else {
        unreachable!("HMAC takes keys of every length")
    };
    // No purpose contains the bar.
    hash.chain_update(format!("{purpose}|{participant_id}"))
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn people_type_codes_in_many_ways() {
        for typed in ["7K3M-9QWX-0A1B", "7k3m9qwxoaib", " 7K3M 9QWX 0AlB "] {
            assert_eq!(normal(typed), "7K3M9QWX0A1B");
        }
    }
}
