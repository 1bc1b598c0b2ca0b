//! Encrypted secrets in rows: in recorded responses, and in e-mails. Their recipients get them, and
//! the table does not reveal them. Functions that are shared with encrypted fields are here, too.

use std::fmt;

use base64_simd::URL_SAFE_NO_PAD as BASE64;
use chacha20poly1305::aead::{Aead, Nonce, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use crate::randomness::{Randomness as _, SystemRandomness};

/// Seals and opens texts with a key of the server.
#[derive(Clone)]
pub(crate) struct Sealer {
    /// Its nonces are so long that random ones never repeat.
    cipher: XChaCha20Poly1305,
    /// The key for nonces that are derived from texts.
    nonce_key: [u8; 32],
}

impl fmt::Debug for Sealer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Sealer(…)")
    }
}

impl Sealer {
    /// Creates the sealer of one service. The key may be used for other purposes as well.
    pub(crate) fn new(key: &[u8; 32], service: &str) -> Self {
        Self::derived(key, &format!("monotable secrets of responses, {service}"))
    }

    /// Creates the sealer of the e-mails in outboxes.
    pub(crate) fn of_letters(key: &[u8; 32]) -> Self {
        Self::derived(key, "monotable letters")
    }

    /// Creates the sealer of links to the blobs of one service.
    pub(crate) fn of_links(key: &[u8; 32], service: &str) -> Self {
        Self::derived(key, &format!("monotable links to blobs, {service}"))
    }

    fn derived(key: &[u8; 32], purpose: &str) -> Self {
        let cipher = XChaCha20Poly1305::new(&derived_key(key, purpose).into());
        Self { cipher, nonce_key: derived_key(key, &format!("nonces of {purpose}")) }
    }

    /// Seals a text for a context, in which alone it can be opened.
    pub(crate) fn seal(&self, context: &str, text: &str) -> String {
        seal(&self.cipher, context, text)
    }

    /// Seals a text for a context deterministically: the results show whether two texts are equal.
    pub(crate) fn seal_alike(&self, context: &str, text: &str) -> String {
        let hash = derived_key(&self.nonce_key, &format!("{context}\0{text}"));
        let mut nonce = Nonce::<XChaCha20Poly1305>::default();
        for (byte, hashed) in nonce.iter_mut().zip(hash) {
            *byte = hashed;
        }
        seal_with(&self.cipher, &nonce, context, text)
    }

    /// Returns the text that was sealed for a context; `None` if the context or the key differs.
    pub(crate) fn open(&self, context: &str, sealed: &str) -> Option<String> {
        open(&self.cipher, context, sealed)
    }
}

/// Derives the key of one purpose, which does not reveal the secret.
pub(crate) fn derived_key(secret: &[u8], purpose: &str) -> [u8; 32] {
    let Ok(mut hash) = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(secret) else {
        unreachable!("HMAC takes keys of every length")
    };
    hash.update(purpose.as_bytes());
    hash.finalize().into_bytes().into()
}

/// Seals a text for a context, with a random nonce in front.
pub(crate) fn seal<C: Aead>(cipher: &C, context: &str, text: &str) -> String {
    let mut nonce = Nonce::<C>::default();
    SystemRandomness.fill(&mut nonce);
    seal_with(cipher, &nonce, context, text)
}

fn seal_with<C: Aead>(cipher: &C, nonce: &Nonce<C>, context: &str, text: &str) -> String {
    let payload = Payload { msg: text.as_bytes(), aad: context.as_bytes() };
    let Ok(sealed) = cipher.encrypt(nonce, payload) else {
        unreachable!("only texts of many gigabytes are too long")
    };
    BASE64.encode_to_string([nonce.as_slice(), &sealed].concat())
}

/// Returns the text that was sealed for a context; `None` if the context or the key differs.
pub(crate) fn open<C: Aead>(cipher: &C, context: &str, sealed: &str) -> Option<String> {
    let bytes = BASE64.decode_to_vec(sealed.as_bytes()).ok()?;
    let (nonce, sealed) = bytes.split_at_checked(Nonce::<C>::default().len())?;
    let payload = Payload { msg: sealed, aad: context.as_bytes() };
    String::from_utf8(cipher.decrypt(nonce.try_into().ok()?, payload).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_opened_with_the_same_key_for_the_same_service_and_context() {
        let sealer = Sealer::new(&[7; 32], "shop");
        for text in ["", "{\"token\":\"s3cret\"}", &"é".repeat(1_000)] {
            let sealed = sealer.seal("u1 POST /carts", text);
            assert!(text.is_empty() || !sealed.contains(text));
            assert_eq!(sealer.open("u1 POST /carts", &sealed).as_deref(), Some(text));
            assert_eq!(sealer.open("u2 POST /carts", &sealed), None);
            assert_eq!(Sealer::new(&[8; 32], "shop").open("u1 POST /carts", &sealed), None);
            assert_eq!(Sealer::new(&[7; 32], "club").open("u1 POST /carts", &sealed), None);
            assert_eq!(Sealer::of_letters(&[7; 32]).open("u1 POST /carts", &sealed), None);
        }
    }

    #[test]
    fn a_text_can_be_sealed_each_time_in_the_same_way() {
        let sealer = Sealer::of_links(&[7; 32], "shop");
        let sealed = sealer.seal_alike("link", "a.jpg");
        assert_eq!(sealer.seal_alike("link", "a.jpg"), sealed);
        assert_eq!(sealer.open("link", &sealed).as_deref(), Some("a.jpg"));
        let others = [sealer.seal_alike("link", "b.jpg"), sealer.seal_alike("other", "a.jpg")];
        let nonce = |sealed: &str| BASE64.decode_to_vec(sealed.as_bytes()).unwrap()[..24].to_vec();
        assert!(others.iter().all(|other| nonce(other) != nonce(&sealed)));
        assert_ne!(sealer.seal("link", "a.jpg"), sealer.seal("link", "a.jpg"));
    }

    #[test]
    fn a_text_that_was_changed_is_not_opened() {
        let sealer = Sealer::new(&[7; 32], "shop");
        let sealed = BASE64.decode_to_vec(sealer.seal("c", "a secret").as_bytes()).unwrap();
        for position in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[position] ^= 1;
            assert_eq!(sealer.open("c", &BASE64.encode_to_string(&changed)), None, "{position}");
        }
        for broken in ["", "a", "!", &BASE64.encode_to_string(&sealed[..24])] {
            assert_eq!(sealer.open("c", broken), None, "{broken}");
        }
    }
}
