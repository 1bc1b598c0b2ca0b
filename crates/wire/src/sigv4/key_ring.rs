//! The keys that the server knows: id, secret, name and permissions.
//!
//! Does not know where they are configured. Secrets can be stored and used, but not read back, and
//! nothing here prints them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use super::signing_key::SigningKeys;
use crate::access::Permissions;

/// The secret half of a key.
#[derive(Clone)]
pub struct SecretKey(Box<[u8]>);

impl SecretKey {
    /// Makes a secret key.
    pub fn new(secret: &str) -> Self {
        Self([b"AWS4", secret.as_bytes()].concat().into())
    }

    /// Returns the bytes that signing keys are derived from.
    pub(super) fn seed(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretKey(..)")
    }
}

/// One key, with its user and permissions.
pub struct AccessKey {
    id: Box<str>,
    name: Box<str>,
    permissions: Permissions,
    pub(super) secret: SecretKey,
    pub(super) signing_keys: SigningKeys,
}

impl AccessKey {
    /// Makes a key for `name`, the user in messages.
    pub fn new(id: &str, secret: SecretKey, name: &str, permissions: Permissions) -> Self {
        let signing_keys = SigningKeys::default();
        Self { id: id.into(), name: name.into(), permissions, secret, signing_keys }
    }

    /// Returns the access key id, the public half.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the user in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what the key may do.
    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }
}

impl fmt::Debug for AccessKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AccessKey")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("permissions", &self.permissions)
            .finish_non_exhaustive()
    }
}

/// All keys, by access key id.
#[derive(Debug, Default)]
pub struct KeyRing(HashMap<Box<str>, AccessKey>);

/// The error of a second key with the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another key has this access key id")]
pub struct DuplicateAccessKey;

impl KeyRing {
    /// Makes a ring without keys, which refuses every signature.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a key.
    ///
    /// # Errors
    ///
    /// The ring already has a key with this id.
    pub fn insert(&mut self, key: AccessKey) -> Result<(), DuplicateAccessKey> {
        match self.0.entry(key.id.clone()) {
            Entry::Occupied(_) => Err(DuplicateAccessKey),
            Entry::Vacant(entry) => {
                entry.insert(key);
                Ok(())
            }
        }
    }

    /// Returns the key with this id.
    pub fn find(&self, id: &str) -> Option<&AccessKey> {
        self.0.get(id)
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_prints_a_secret() {
        let mut ring = KeyRing::new();
        let secret = SecretKey::new("correct horse battery");
        let printed = format!("{secret:?}");
        ring.insert(AccessKey::new("AKID", secret, "a", Permissions::nothing())).unwrap();
        let printed = format!("{printed} {ring:?} {:?}", ring.find("AKID"));
        assert!(printed.contains("AKID"));
        assert!(!printed.contains("horse") && !printed.contains("104, 111, 114"), "{printed}");
    }

    #[test]
    fn an_id_can_be_used_once() {
        let key = |name| AccessKey::new("AKID", SecretKey::new("s"), name, Permissions::nothing());
        let mut ring = KeyRing::new();
        assert!(ring.is_empty());
        assert_eq!(ring.insert(key("a")), Ok(()));
        assert_eq!(ring.insert(key("b")), Err(DuplicateAccessKey));
        assert_eq!((ring.len(), ring.find("AKID").unwrap().name()), (1, "a"));
        assert!(ring.find("akid").is_none());
    }
}
