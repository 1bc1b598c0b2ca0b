//! AWS Signature Version 4 of a request: the headers with the signer and the time.
//!
//! A signature depends on the body and the date, so it is computed for every request; without keys
//! there is one set of headers of the same form and length for all.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::Credentials;
use crate::credentials::Keys;
use crate::timestamp::Timestamp;

/// A placeholder access key. DynamoDB Local accepts only letters and digits.
const PLACEHOLDER_ACCESS_KEY: &str = "MONOTABLEBENCH000000";
const PLACEHOLDER_SIGNATURE: &str =
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Signs requests to one server, one operation.
pub(crate) struct Signer {
    region: String,
    keys: Keys,
    /// The signed headers before the date, in canonical form.
    headers_before_date: String,
    headers_after_date: String,
    signed_names: &'static str,
    /// The date of the newest signature, and the key derived for its day.
    seconds: u64,
    timestamp: Timestamp,
    day_key: [u8; 32],
}

impl Signer {
    /// Returns a signer for requests with this host and target.
    pub(crate) fn new(region: &str, keys: &Keys, host: &str, target: &str) -> Self {
        let token = keys.session_token.as_deref();
        let token_line = token.map(|token| format!("x-amz-security-token:{token}\n"));
        let timestamp = Timestamp::new(0);
        Self {
            region: region.to_owned(),
            keys: keys.clone(),
            headers_before_date: format!(
                "POST\n/\n\ncontent-type:application/x-amz-json-1.0\nhost:{host}\nx-amz-date:"
            ),
            headers_after_date: format!(
                "\n{}x-amz-target:{target}\n\n",
                token_line.unwrap_or_default()
            ),
            signed_names: signed_names(token.is_some()),
            seconds: 0,
            day_key: day_key(&keys.secret_key, region, &timestamp),
            timestamp,
        }
    }

    /// Appends the headers that sign a request with this body at this time.
    pub(crate) fn write_headers(&mut self, body: &[u8], seconds: u64, out: &mut Vec<u8>) {
        if seconds != self.seconds {
            let timestamp = Timestamp::new(seconds);
            if timestamp.day() != self.timestamp.day() {
                self.day_key = day_key(&self.keys.secret_key, &self.region, &timestamp);
            }
            (self.seconds, self.timestamp) = (seconds, timestamp);
        }
        let mut request = Sha256::new();
        request.update(&self.headers_before_date);
        request.update(self.timestamp.as_str());
        request.update(&self.headers_after_date);
        request.update(self.signed_names);
        request.update(b"\n");
        request.update(hex::encode(Sha256::digest(body)));
        let scope = scope(&self.region, &self.timestamp);
        let date = self.timestamp.as_str();
        let request = hex::encode(request.finalize());
        let signature = keyed_hash(
            &self.day_key,
            &[
                b"AWS4-HMAC-SHA256\n",
                date.as_bytes(),
                b"\n",
                scope.as_bytes(),
                b"\n",
                request.as_bytes(),
            ],
        );
        let signature = hex::encode(signature);
        let access_key = self.keys.access_key.as_bytes();
        write(&self.timestamp, access_key, &scope, self.signed_names, signature.as_bytes(), out);
        if let Some(token) = &self.keys.session_token {
            out.extend_from_slice(b"x-amz-security-token: ");
            out.extend_from_slice(token.as_bytes());
            out.extend_from_slice(b"\r\n");
        }
    }
}

/// Headers that look like those of [`Signer`] to a server that doesn't check them.
pub(crate) fn placeholder_headers(credentials: &Credentials, seconds: u64) -> Vec<u8> {
    let mut out = Vec::new();
    let timestamp = Timestamp::new(seconds);
    let scope = scope(&credentials.region, &timestamp);
    let access_key = PLACEHOLDER_ACCESS_KEY.as_bytes();
    let signature = PLACEHOLDER_SIGNATURE.as_bytes();
    write(&timestamp, access_key, &scope, signed_names(false), signature, &mut out);
    out
}

fn write(
    timestamp: &Timestamp,
    access_key: &[u8],
    scope: &str,
    signed_names: &str,
    signature: &[u8],
    out: &mut Vec<u8>,
) {
    for part in [
        b"x-amz-date: ",
        timestamp.as_str().as_bytes(),
        b"\r\nauthorization: AWS4-HMAC-SHA256 Credential=",
        access_key,
        b"/",
        scope.as_bytes(),
        b", SignedHeaders=",
        signed_names.as_bytes(),
        b", Signature=",
        signature,
        b"\r\n",
    ] {
        out.extend_from_slice(part);
    }
}

fn signed_names(has_token: bool) -> &'static str {
    if has_token {
        "content-type;host;x-amz-date;x-amz-security-token;x-amz-target"
    } else {
        "content-type;host;x-amz-date;x-amz-target"
    }
}

fn scope(region: &str, timestamp: &Timestamp) -> String {
    format!("{}/{region}/dynamodb/aws4_request", timestamp.day())
}

/// Derives the key of one day, as SigV4 defines it.
fn day_key(secret_key: &str, region: &str, timestamp: &Timestamp) -> [u8; 32] {
    let day = keyed_hash(format!("AWS4{secret_key}").as_bytes(), &[timestamp.day().as_bytes()]);
    let region = keyed_hash(&day, &[region.as_bytes()]);
    let service = keyed_hash(&region, &[b"dynamodb"]);
    keyed_hash(&service, &[b"aws4_request"])
}

fn keyed_hash(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let Ok(mut hash) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of every length")
    };
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const SECONDS: u64 = 1_794_789_000;

    fn headers(session_token: Option<&str>, body: &str, seconds: u64) -> String {
        let keys = Keys {
            access_key: "AKIDEXAMPLE".to_owned(),
            secret_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".to_owned(),
            session_token: session_token.map(str::to_owned),
        };
        let target = "DynamoDB_20120810.ListTables";
        let mut signer = Signer::new("us-east-1", &keys, "localhost:8000", target);
        let mut out = Vec::new();
        signer.write_headers(body.as_bytes(), seconds, &mut out);
        String::from_utf8(out).unwrap().replace("\r\n", "\n")
    }

    fn check(session_token: Option<&str>, body: &str, expected: Expect) {
        expected.assert_eq(&headers(session_token, body, SECONDS));
    }

    /// The signatures were computed with another implementation, in Python.
    #[test]
    fn signatures_are_those_of_sigv4() {
        check(
            None,
            "{}",
            expect![[r#"
            x-amz-date: 20261116T003000Z
            authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261116/us-east-1/dynamodb/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=726d49c7bedcc9418a669e3709de37403af902e699f42f7b62b7fd9a26239532
        "#]],
        );
        check(
            None,
            r#"{"Limit":1}"#,
            expect![[r#"
            x-amz-date: 20261116T003000Z
            authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261116/us-east-1/dynamodb/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=67a793afff456a90562bcaa76193211cfcdd114d5fc242f0939028e3999094f9
        "#]],
        );
        check(
            Some("TOKEN"),
            "{}",
            expect![[r#"
            x-amz-date: 20261116T003000Z
            authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261116/us-east-1/dynamodb/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=32f10fd7bcea9c23062c25a208310a7b53dbb800557204aaee11090666c77318
            x-amz-security-token: TOKEN
        "#]],
        );
    }

    #[test]
    fn each_day_has_its_own_key() {
        let next_day = headers(None, "{}", SECONDS + 24 * 60 * 60);
        assert!(next_day.contains("Credential=AKIDEXAMPLE/20261117/us-east-1/"));
        assert!(next_day.contains(
            "Signature=c6fea62bdb22ea419a53d31cc9a68e9073ad8864a79a98f5a36f0dde97a89f28"
        ));
    }

    #[test]
    fn placeholders_have_the_form_and_length_of_signatures() {
        let placeholder = placeholder_headers(&Credentials::default(), SECONDS);
        let signed = headers(None, "{}", SECONDS).replace("AKIDEXAMPLE", "AKIDEXAMPLE000000000");
        assert_eq!(placeholder.len(), signed.replace('\n', "\r\n").len());
    }
}
