//! Tickets: the content of links and session cookies.

use crate::identity::Secret;
use crate::randomness::Randomness;

/// The random bytes of an id.
const ID_BYTES: usize = 16;

/// The id of a row and the secret that opens it, written as `<id>.<secret>`. The row has the secret's hash.
#[derive(Clone, Debug)]
pub struct Ticket {
    pub(super) id: String,
    pub(super) secret: Secret,
}

impl Ticket {
    /// Generates a new ticket.
    pub fn generate(randomness: &dyn Randomness) -> Self {
        let mut id = [0; ID_BYTES];
        randomness.fill(&mut id);
        Self { id: hex::encode(id), secret: Secret::generate(randomness) }
    }

    /// Parses a ticket; `None` if the text can't be one.
    pub fn parse(text: &str) -> Option<Self> {
        let (id, secret) = text.split_once('.')?;
        let is_id = id.len() == 2 * ID_BYTES && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let secret = Secret::parse(secret)?;
        is_id.then(|| Self { id: id.to_owned(), secret })
    }

    /// Returns its text, for its owner alone.
    pub(super) fn reveal(&self) -> String {
        format!("{}.{}", self.id, self.secret.reveal())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::randomness::SystemRandomness;

    #[test]
    fn a_ticket_is_read_as_it_is_written() {
        let ticket = Ticket::generate(&SystemRandomness);
        let text = ticket.reveal();
        let read = Ticket::parse(&text).unwrap();
        assert_eq!((read.id, read.secret.hash()), (ticket.id.clone(), ticket.secret.hash()));
        assert!(!format!("{ticket:?}").contains(ticket.secret.reveal()));
        for wrong in ["", ".", &text[1..], &format!("{text}x"), &text.replace('.', "")] {
            assert!(Ticket::parse(wrong).is_none(), "{wrong}");
        }
    }
}
