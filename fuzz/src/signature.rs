//! Signatures: any header and query string is refused, and none panics.

use monotable_wire::access::Permissions;
use monotable_wire::sigv4::{AccessKey, KeyRing, SecretKey, SignedRequest, verify};

/// The moment of the seeds.
const NOW: i64 = 1_440_938_160;

/// The bytes are the query string, the `Authorization` header and the `X-Amz-Date`, a line each.
pub fn check(bytes: &[u8]) {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let mut line = || lines.next().unwrap_or_default();
    let (query, authorization, date) = (line(), line(), line());
    let query = String::from_utf8_lossy(query);
    let mut keys = KeyRing::new();
    let secret = SecretKey::new("a secret that no input knows");
    let key = AccessKey::new("AKIDEXAMPLE", secret, "fuzz", Permissions::everything());
    keys.insert(key).expect("it is the first");
    let mut headers: Vec<(&str, &[u8])> = vec![("Host", b"localhost"), ("X-Amz-Date", date)];
    if !authorization.is_empty() {
        headers.push(("Authorization", authorization));
    }
    let request =
        SignedRequest { method: "POST", path: "/", query: &query, headers: &headers, body: b"{}" };
    assert!(verify(&request, &keys, NOW).is_err(), "nobody signed this");
}

/// Both places of a signature.
pub fn seeds() -> Vec<Vec<u8>> {
    let scope = "AKIDEXAMPLE/20150830/us-east-1/dynamodb/aws4_request";
    let signature = "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7";
    vec![
        format!(
            "\nAWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host;x-amz-date, \
             Signature={signature}\n20150830T123600Z"
        )
        .into_bytes(),
        format!(
            "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential={}&X-Amz-Date=20150830T123600Z\
             &X-Amz-SignedHeaders=host&X-Amz-Expires=60&X-Amz-Signature={signature}\n\n",
            scope.replace('/', "%2F")
        )
        .into_bytes(),
    ]
}
