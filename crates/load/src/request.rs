//! The bytes of HTTP requests, with the headers that an SDK of AWS sends.

use crate::signature::{Signer, placeholder_headers};
use crate::timestamp::Timestamp;
use crate::{Credentials, Endpoint};

/// Headers after the signature that identify the client, as long as those of an SDK.
const AGENT_HEADERS: &str = concat!(
    "user-agent: monotable-bench/",
    env!("CARGO_PKG_VERSION"),
    " os/any lang/rust\r\n",
    "x-amz-user-agent: monotable-bench/",
    env!("CARGO_PKG_VERSION"),
    " ua/2.1 api/dynamodb/20120810 os/any lang/rust m/E\r\n",
    "amz-sdk-request: attempt=1; max=1\r\n",
    "amz-sdk-invocation-id: 6d6f6e6f-7461-426c-a562-656e63680000\r\n",
);

/// Writes the requests of one operation to one server.
pub(crate) struct RequestWriter {
    /// Everything before the headers that depend on the body.
    head: Vec<u8>,
    signer: Option<Signer>,
    body: Vec<u8>,
}

impl RequestWriter {
    /// Returns a writer for an operation by DynamoDB's name.
    pub(crate) fn new(endpoint: &Endpoint, credentials: &Credentials, operation: &str) -> Self {
        let host = endpoint.authority();
        let target = format!("DynamoDB_20120810.{operation}");
        let mut head = format!(
            "POST / HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/x-amz-json-1.0\r\n\
             x-amz-target: {target}\r\n{AGENT_HEADERS}"
        )
        .into_bytes();
        let signer = match &credentials.keys {
            Some(keys) => Some(Signer::new(&credentials.region, keys, host, &target)),
            None => {
                head.extend(placeholder_headers(credentials, Timestamp::seconds_now()));
                None
            }
        };
        Self { head, signer, body: Vec::new() }
    }

    /// Appends one request, whose body `write_body` appends to what it is given.
    pub(crate) fn write(&mut self, write_body: impl FnOnce(&mut Vec<u8>), out: &mut Vec<u8>) {
        self.body.clear();
        write_body(&mut self.body);
        out.extend_from_slice(&self.head);
        if let Some(signer) = &mut self.signer {
            signer.write_headers(&self.body, Timestamp::seconds_now(), out);
        }
        out.extend_from_slice(b"content-length: ");
        out.extend_from_slice(itoa::Buffer::new().format(self.body.len()).as_bytes());
        out.extend_from_slice(b"\r\n\r\n");
        out.extend_from_slice(&self.body);
    }
}

#[cfg(test)]
mod tests {
    use crate::Keys;

    use super::*;

    fn request(credentials: &Credentials) -> String {
        let endpoint = Endpoint::parse("http://localhost:8000", None).unwrap();
        let mut writer = RequestWriter::new(&endpoint, credentials, "GetItem");
        let mut out = Vec::new();
        writer.write(|body| body.extend_from_slice(b"{\"longer\":1}"), &mut out);
        // A writer forgets the body before.
        out.clear();
        writer.write(|body| body.extend_from_slice(b"{}"), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn names_of_headers(request: &str) -> Vec<String> {
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let mut parsed = httparse::Request::new(&mut headers);
        let head_bytes = parsed.parse(request.as_bytes()).unwrap().unwrap();
        assert_eq!(&request[head_bytes..], "{}");
        assert_eq!((parsed.method, parsed.path), (Some("POST"), Some("/")));
        parsed.headers.iter().map(|header| header.name.to_owned()).collect()
    }

    #[test]
    fn signed_and_unsigned_requests_have_the_same_headers() {
        let unsigned = request(&Credentials::default());
        let keys = Keys {
            access_key: "AKIDEXAMPLE".to_owned(),
            secret_key: "secret".to_owned(),
            session_token: None,
        };
        let signed = request(&Credentials { keys: Some(keys), ..Credentials::default() });
        assert_eq!(
            names_of_headers(&unsigned),
            [
                "host",
                "content-type",
                "x-amz-target",
                "user-agent",
                "x-amz-user-agent",
                "amz-sdk-request",
                "amz-sdk-invocation-id",
                "x-amz-date",
                "authorization",
                "content-length"
            ]
        );
        assert_eq!(names_of_headers(&unsigned), names_of_headers(&signed));
        assert!(unsigned.contains("x-amz-target: DynamoDB_20120810.GetItem\r\n"));
    }
}
