//! The credentials of the requests.

use std::fmt;

/// The region of requests whose signatures are not checked.
const REGION: &str = "us-east-1";

/// How requests are signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The region in every signature.
    pub region: String,
    /// The keys, or `None` for signatures that are well formed and as long as real ones, but not
    /// computed: they cost the generator nothing, and the cost of a server that does not check them
    /// is the same.
    pub keys: Option<Keys>,
}

impl Default for Credentials {
    fn default() -> Self {
        Self { region: REGION.to_owned(), keys: None }
    }
}

/// An access key with its secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Keys {
    /// The public part.
    pub access_key: String,
    /// The secret part.
    pub secret_key: String,
    /// The token of temporary keys.
    pub session_token: Option<String>,
}

impl fmt::Debug for Keys {
    /// Leaves out everything secret, so that no log ever shows it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Keys").field("access_key", &self.access_key).finish_non_exhaustive()
    }
}
