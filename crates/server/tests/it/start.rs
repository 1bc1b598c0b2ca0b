//! Servers that must not start.

use std::net::TcpStream;
use std::time::Duration;

use monotable_server::{Access, Config, Error, Keys, Server};
use monotable_wire::access::Permissions;
use monotable_wire::sigv4::{AccessKey, KeyRing, SecretKey};

use crate::fixture::{World, config};

#[test]
fn an_address_is_taken_once() {
    let world = World::new();
    let again = Config { listen: world.address, ..config() };
    let error = Server::bind(again).err().unwrap();
    let text = error.to_string();
    let address = world.address;
    assert!(text.starts_with(&format!("can't listen on {address}: ")), "{text}");
    assert!(text.ends_with(". Choose another address with --listen."), "{text}");
    world.assert_serves();
}

#[test]
fn everybody_is_kept_out_unless_there_are_keys() {
    for listen in ["0.0.0.0:0", "[::]:0", "10.1.2.3:0", "[::ffff:0.0.0.0]:0"] {
        let config = Config { listen: listen.parse().unwrap(), ..config() };
        let error = Server::bind(config).err().unwrap();
        assert!(matches!(error, Error::Unprotected(_)), "{error}");
        assert!(error.to_string().contains("--credentials FILE"), "{error}");
    }
    let mut keys = KeyRing::new();
    let secret = SecretKey::new("a secret that is long enough");
    keys.insert(AccessKey::new("AKIA1", secret, "a", Permissions::everything())).unwrap();
    let reachable = Config {
        listen: "0.0.0.0:0".parse().unwrap(),
        access: Access::Signed(Keys::new(keys)),
        ..config()
    };
    assert!(Server::bind(reachable).is_ok());
    let reachable =
        Config { listen: "0.0.0.0:0".parse().unwrap(), access: Access::Anyone, ..config() };
    assert!(Server::bind(reachable).is_ok());
}

/// A client that opens all its connections at once does not have to wait for the acceptor.
#[test]
fn connections_are_kept_until_they_are_accepted() {
    let server = Server::bind(config()).unwrap();
    let patience = Duration::from_secs(10);
    let connections =
        (0..500).map(|_| TcpStream::connect_timeout(&server.address(), patience).unwrap());
    assert_eq!(connections.collect::<Vec<_>>().len(), 500);
}
