//! Requests that are signed, and a server that asks for it.

use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use monotable_engine::Database;
use monotable_server::{Access, Config, Keys};
use monotable_wire::access::{Permissions, TablePattern};
use monotable_wire::sigv4::{AccessKey, KeyRing, SecretKey};

use crate::client::Answer;
use crate::fixture::{World, config};

/// A key: its id and its secret.
pub(super) type Key = (&'static str, &'static str);

pub(super) const OWNER: Key = ("AKIAOWNER", "the secret of the owner");
pub(super) const NOBODY: Key = ("AKIANOBODY", "the secret of nobody at all");
pub(super) const READER: Key = ("AKIAREADER", "the secret of the reader");
pub(super) const NEIGHBOUR: Key = ("AKIANEIGHBOUR", "the secret of the neighbour");

/// A server with four keys: one may do everything, one nothing, one read `plain`, one do everything
/// with tables whose names start with `other-`.
pub(super) fn world() -> World {
    let tables = |pattern| TablePattern::parse(pattern).unwrap();
    let reader = Permissions::nothing().allow_action("GetItem").allow_action("Query");
    let neighbour = Permissions::nothing().allow_action("*").allow_tables(tables("other-*"));
    let mut keys = KeyRing::new();
    for ((id, secret), name, permissions) in [
        (OWNER, "owner", Permissions::everything()),
        (NOBODY, "nobody", Permissions::nothing()),
        (READER, "reader", reader.allow_tables(tables("plain"))),
        (NEIGHBOUR, "neighbour", neighbour),
    ] {
        keys.insert(AccessKey::new(id, SecretKey::new(secret), name, permissions)).unwrap();
    }
    World::with_config(
        Config { access: Access::Signed(Keys::new(keys)), ..config() },
        Database::memory(),
    )
}

/// A request that can still be changed before it is sent.
pub(super) struct Signed {
    pub(super) method: &'static str,
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Signed {
    pub(super) fn new(key: Key, amz_target: &str, body: &str) -> Self {
        Self::at(key, amz_target, body, SystemTime::now())
    }

    /// Signs as of some time.
    pub(super) fn at(key: Key, amz_target: &str, body: &str, time: SystemTime) -> Self {
        Self::of_bytes(key, amz_target, body.as_bytes(), time)
    }

    /// Signs bytes, whatever they are.
    pub(super) fn of_bytes(
        (id, secret): Key,
        amz_target: &str,
        body: &[u8],
        time: SystemTime,
    ) -> Self {
        let mut headers = vec![
            ("host".to_owned(), "localhost".to_owned()),
            ("content-type".to_owned(), "application/x-amz-json-1.0".to_owned()),
            ("x-amz-target".to_owned(), amz_target.to_owned()),
        ];
        let identity = Credentials::new(id, secret, None, None, "test").into();
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region("us-east-1")
            .name("dynamodb")
            .time(time)
            .settings(SigningSettings::default())
            .build()
            .unwrap()
            .into();
        let named = headers.iter().map(|(name, value)| (&**name, &**value));
        let signable = SignableBody::Bytes(body);
        let request = SignableRequest::new("POST", "http://localhost/", named, signable).unwrap();
        let (instructions, _) = sign(request, &parameters).unwrap().into_parts();
        let added: Vec<_> = instructions
            .headers()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        headers.extend(added);
        Self { method: "POST", target: "/".to_owned(), headers, body: body.into() }
    }

    pub(super) fn header(&mut self, name: &str) -> &mut String {
        &mut self.headers.iter_mut().find(|(known, _)| known == name).unwrap().1
    }

    /// Replaces a part of a header, which must be there.
    pub(super) fn replace(&mut self, name: &str, from: &str, to: &str) {
        let value = self.header(name);
        assert!(value.contains(from), "{name} has no {from:?}: {value}");
        *value = value.replace(from, to);
    }

    pub(super) fn remove(&mut self, name: &str) {
        let count = self.headers.len();
        self.headers.retain(|(known, _)| known != name);
        assert_eq!(self.headers.len(), count - 1, "{name}");
    }

    pub(super) fn add(&mut self, name: &str, value: &str) {
        self.headers.push((name.to_owned(), value.to_owned()));
    }

    /// The bytes of the request.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut text = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("content-length: {}\r\n\r\n", self.body.len());
        [text.as_bytes(), &self.body].concat()
    }

    #[track_caller]
    pub(super) fn send(&self, world: &World) -> Answer {
        let mut client = world.connect();
        client.send(self.bytes());
        client.receive()
    }
}

/// Seconds away from now.
pub(super) fn seconds_ago(seconds: u64) -> SystemTime {
    SystemTime::now() - Duration::from_secs(seconds)
}
