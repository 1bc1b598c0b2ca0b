//! A request signed by AWS's signer, which tests can change before Monotable verifies it.

use std::borrow::Cow;
use std::time::{Duration, UNIX_EPOCH};

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{
    PayloadChecksumKind, SignableBody, SignableRequest, SignatureLocation, SigningSettings, sign,
};
use aws_sigv4::sign::v4;
use monotable_wire::access::Permissions;
use monotable_wire::sigv4::{AccessKey, KeyRing, SecretKey, SignatureError, SignedRequest, verify};

/// 2026-11-15 09:30:00 UTC, when requests are signed and verified unless a test sets another time.
pub(crate) const NOW: i64 = 1_794_735_000;

pub(crate) const KEY: (&str, &str) = ("AKIAEXAMPLE00000001", "the secret of the first key");
pub(crate) const OTHER_KEY: (&str, &str) = ("AKIAEXAMPLE00000002", "the secret of another key");

pub(crate) fn keys() -> KeyRing {
    let mut keys = KeyRing::new();
    for (id, secret) in [KEY, OTHER_KEY] {
        let secret = SecretKey::new(secret);
        keys.insert(AccessKey::new(id, secret, "example", Permissions::nothing())).unwrap();
    }
    keys
}

#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
}

/// The time, the place and the form of a signature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signing<'a> {
    pub(crate) region: &'a str,
    pub(crate) at: i64,
    pub(crate) place: SignatureLocation,
    /// Whether `x-amz-content-sha256` is sent.
    pub(crate) payload_hash: PayloadChecksumKind,
    /// `X-Amz-Expires`, which AWS's signer sends in query strings only.
    pub(crate) lifetime_seconds: u64,
}

impl Default for Signing<'_> {
    fn default() -> Self {
        Self {
            region: "us-east-1",
            at: NOW,
            place: SignatureLocation::Headers,
            payload_hash: PayloadChecksumKind::XAmzSha256,
            lifetime_seconds: 600,
        }
    }
}

impl Sent {
    /// Returns an unsigned GetItem.
    pub(crate) fn get_item() -> Self {
        let headers: [(&str, &str); 3] = [
            ("Host", "localhost:8000"),
            ("Content-Type", "application/x-amz-json-1.0"),
            ("X-Amz-Target", "DynamoDB_20120810.GetItem"),
        ];
        Self {
            method: "POST".to_owned(),
            path: "/".to_owned(),
            query: String::new(),
            headers: headers.map(|(name, value)| (name.to_owned(), value.into())).into(),
            body: br#"{"TableName":"league","Key":{"PK":{"S":"TEAM#1"}}}"#.to_vec(),
        }
    }

    /// Signs the request with AWS's signer.
    pub(crate) fn signed(mut self, signing: Signing<'_>) -> Self {
        let identity = Credentials::new(KEY.0, KEY.1, None, None, "test").into();
        let mut settings = SigningSettings::default();
        settings.signature_location = signing.place;
        settings.payload_checksum_kind = signing.payload_hash;
        settings.expires_in = Some(Duration::from_secs(signing.lifetime_seconds));
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(signing.region)
            .name("dynamodb")
            .time(UNIX_EPOCH + Duration::from_secs(signing.at.try_into().unwrap()))
            .settings(settings)
            .build()
            .unwrap()
            .into();
        let separator = if self.query.is_empty() { "" } else { "?" };
        let uri = format!("http://localhost:8000{}{separator}{}", self.path, self.query);
        let headers =
            self.headers.iter().map(|(name, value)| (&**name, str::from_utf8(value).unwrap()));
        let body = SignableBody::Bytes(&self.body);
        let request = SignableRequest::new(&self.method, uri, headers, body).unwrap();
        let (instructions, _) = sign(request, &parameters).unwrap().into_parts();
        let added: Vec<_> = instructions
            .headers()
            .map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()))
            .collect();
        self.headers.extend(added);
        for (name, value) in instructions.params() {
            self.add_parameter(name, value);
        }
        self
    }

    pub(crate) fn add_parameter(&mut self, name: &str, value: &str) {
        let encoded: Cow<'_, str> = value.replace('/', "%2F").replace(';', "%3B").into();
        let separator = if self.query.is_empty() { "" } else { "&" };
        self.query += &format!("{separator}{name}={encoded}");
    }

    pub(crate) fn header(&mut self, name: &str) -> &mut Vec<u8> {
        let found = self.headers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name));
        &mut found.unwrap().1
    }

    /// Replaces a part of a header's value, which must be there.
    pub(crate) fn replace(&mut self, name: &str, from: &str, to: &str) {
        let value = str::from_utf8(self.header(name)).unwrap();
        assert!(value.contains(from), "{name} has no {from:?}: {value}");
        *self.header(name) = value.replace(from, to).into_bytes();
    }

    /// Replaces a part of the query string, which must be there.
    pub(crate) fn replace_in_query(&mut self, from: &str, to: &str) {
        assert!(self.query.contains(from), "no {from:?}: {}", self.query);
        self.query = self.query.replace(from, to);
    }

    pub(crate) fn add_header(&mut self, name: &str, value: &str) {
        self.headers.push((name.to_owned(), value.into()));
    }

    pub(crate) fn remove_header(&mut self, name: &str) {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    }

    /// Verifies the request, and returns the region of the signature or its error.
    pub(crate) fn verified(&self, keys: &KeyRing, now: i64) -> Result<String, SignatureError> {
        let headers: Vec<_> =
            self.headers.iter().map(|(name, value)| (&**name, &**value)).collect();
        let request = SignedRequest {
            method: &self.method,
            path: &self.path,
            query: &self.query,
            headers: &headers,
            body: &self.body,
        };
        verify(&request, keys, now).map(|identity| {
            assert_eq!(identity.key.id(), KEY.0);
            identity.region.into()
        })
    }
}
