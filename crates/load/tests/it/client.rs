//! The blocking client.

use monotable_load::{Client, Credentials, Endpoint};

use crate::fake::{Fake, Framing, exception};

#[test]
fn it_returns_status_and_body_whatever_the_framing() {
    for framing in Framing::ALL {
        let server = Fake::start(framing, |operation, request| match operation {
            "Echo" => (200, request.to_string()),
            _ => exception("UnknownOperationException", ""),
        });
        let endpoint = Endpoint::parse(&server.url).unwrap();
        let mut client = Client::new(endpoint, Credentials::default());
        for body in [r#"{"a":1}"#, r#"{"b":2}"#] {
            assert_eq!(client.call("Echo", body).unwrap(), (200, body.to_owned()), "{framing:?}");
        }
        assert_eq!(client.call("Other", "{}").unwrap().0, 400, "{framing:?}");
    }
}
