//! Why a request is refused before it is routed.

use crate::encoding::DecodeError;

/// Why the server refuses a request. The connection is closed after the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It was sent in plain text to an address with TLS.
    NotSecure,
    /// It is not well-formed HTTP/1.1.
    Malformed,
    /// Its headers are too large, or too many.
    HeadTooLarge,
    /// Its body is larger than the server accepts.
    BodyTooLarge,
    /// Its body is not encoded as `Content-Encoding` says.
    Encoding,
    /// Other requests and responses use the memory that it needs.
    Busy,
}

impl Refusal {
    /// Returns the HTTP status of the response.
    pub fn status(self) -> u16 {
        match self {
            Self::NotSecure | Self::Malformed | Self::HeadTooLarge => 400,
            Self::BodyTooLarge => 413,
            Self::Encoding => 415,
            Self::Busy => 503,
        }
    }

    /// Returns the text for the client.
    pub fn message(self) -> &'static str {
        match self {
            Self::NotSecure => "This address speaks HTTPS only; begin its URL with https://.",
            Self::Malformed => "The request is not well-formed HTTP/1.1.",
            Self::HeadTooLarge => "The headers of the request are too large.",
            Self::BodyTooLarge => "The body of the request is larger than 16 MiB.",
            Self::Encoding => {
                "The body is not encoded as Content-Encoding says; gzip and deflate are supported."
            }
            Self::Busy => "Too many large requests or responses at once; try again.",
        }
    }
}

impl From<DecodeError> for Refusal {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::Unknown | DecodeError::Broken => Self::Encoding,
            DecodeError::TooLarge => Self::BodyTooLarge,
            DecodeError::Busy => Self::Busy,
        }
    }
}
