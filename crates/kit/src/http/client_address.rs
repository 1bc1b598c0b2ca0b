//! The address of the client, also through proxies that are trusted to report it.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use http::header::FORWARDED;
use http::{HeaderMap, HeaderName};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The prefix of an IPv6 address that identifies a client, which usually has a whole /64.
const IPV6_CLIENT_BITS: u8 = 64;

/// A proxy, or a network of proxies, whose `Forwarded` and `X-Forwarded-For` headers are trusted.
///
/// ```
/// use monotable_kit::TrustedProxy;
///
/// assert!("127.0.0.1".parse::<TrustedProxy>().is_ok());
/// assert!("10.0.0.0/8".parse::<TrustedProxy>().is_ok());
/// assert!("example.org".parse::<TrustedProxy>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustedProxy {
    network: IpAddr,
    bits: u8,
}

/// A text that is not the address of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8")]
pub struct TrustedProxyError;

impl FromStr for TrustedProxy {
    type Err = TrustedProxyError;

    fn from_str(text: &str) -> Result<Self, TrustedProxyError> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| TrustedProxyError)?;
        let bits_max = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(bits_max), str::parse).map_err(|_| TrustedProxyError)?;
        if bits > bits_max {
            return Err(TrustedProxyError);
        }
        Ok(Self { network: network(address, bits), bits })
    }
}

impl TrustedProxy {
    fn contains(&self, address: IpAddr) -> bool {
        address.is_ipv4() == self.network.is_ipv4() && network(address, self.bits) == self.network
    }
}

/// Returns the first bits of an address.
fn network(address: IpAddr, bits: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
            IpAddr::V4((address.to_bits() & mask).into())
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
        }
    }
}

/// Returns the address of the client whose request came from a peer: the peer itself, or the
/// address that trusted proxies report. Of an IPv6 address it is the network, because a client can
/// use any address in it.
pub(super) fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[TrustedProxy]) -> IpAddr {
    let peer = peer.to_canonical();
    let client = if is_trusted(peer, trusted) {
        reported(peer, headers, trusted).unwrap_or(peer)
    } else {
        peer
    };
    if client.is_ipv6() { network(client, IPV6_CLIENT_BITS) } else { client }
}

fn is_trusted(address: IpAddr, trusted: &[TrustedProxy]) -> bool {
    trusted.iter().any(|proxy| proxy.contains(address))
}

/// Returns the address that a trusted peer reports. A proxy that writes one of the two headers may
/// forward the other one as the client sent it: if they disagree, neither is trusted.
fn reported(peer: IpAddr, headers: &HeaderMap, trusted: &[TrustedProxy]) -> Option<IpAddr> {
    let forwarded = values(headers, FORWARDED).map(forwarded_for);
    let forwarded = farthest(peer, forwarded, trusted);
    let x_forwarded = values(headers, X_FORWARDED_FOR).map(Some);
    let x_forwarded = farthest(peer, x_forwarded, trusted);
    match (headers.contains_key(FORWARDED), headers.contains_key(X_FORWARDED_FOR)) {
        (true, true) => (forwarded == x_forwarded).then_some(forwarded),
        (true, false) => Some(forwarded),
        (false, true) => Some(x_forwarded),
        (false, false) => None,
    }
}

/// Returns the values of a list that may be spread over several headers. A header that is not text
/// counts as one unreadable value.
fn values(headers: &HeaderMap, name: HeaderName) -> impl DoubleEndedIterator<Item = &str> {
    let headers: Vec<&str> =
        headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default()).collect();
    headers.into_iter().flat_map(|value| value.split(',')).map(str::trim)
}

/// Returns the `for` of one element of `Forwarded`, without quotes.
fn forwarded_for(element: &str) -> Option<&str> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    Some(value.trim().trim_matches('"'))
}

/// Walks from the last proxy towards the client, as long as proxies are trusted: everything before
/// the first untrusted address may be forged. An invalid address ends the walk.
fn farthest<'a>(
    peer: IpAddr,
    reports: impl DoubleEndedIterator<Item = Option<&'a str>>,
    trusted: &[TrustedProxy],
) -> IpAddr {
    let mut client = peer;
    for report in reports.rev() {
        let Some(address) = report.and_then(address) else { break };
        client = address;
        if !is_trusted(address, trusted) {
            break;
        }
    }
    client
}

/// Parses an address, perhaps with a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`,
/// `[2001:db8::1]:80`.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| Some(text.parse::<SocketAddr>().ok()?.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    /// The client of a request from `10.0.0.1`, where `10.0.0.0/8` and `2001:db8:1::/48` are trusted.
    fn client_of(headers: &[(HeaderName, &str)]) -> String {
        client_from("10.0.0.1", headers)
    }

    fn client_from(peer: &str, headers: &[(HeaderName, &str)]) -> String {
        let trusted = ["10.0.0.0/8", "2001:db8:1::/48"].map(|text| text.parse().unwrap());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, HeaderValue::from_str(value).unwrap());
        }
        client(peer.parse().unwrap(), &map, &trusted).to_string()
    }

    fn list(value: &str) -> [(HeaderName, &str); 1] {
        [(X_FORWARDED_FOR, value)]
    }

    #[test]
    fn only_a_trusted_peer_is_believed() {
        assert_eq!(client_from("192.0.2.9", &list("203.0.113.5")), "192.0.2.9");
        assert_eq!(client_from("11.0.0.1", &list("203.0.113.5")), "11.0.0.1");
        assert_eq!(client_of(&list("203.0.113.5")), "203.0.113.5");
        assert_eq!(client_from("::ffff:10.0.0.1", &list("203.0.113.5")), "203.0.113.5");
        assert_eq!(client_of(&[]), "10.0.0.1");
    }

    #[test]
    fn the_list_is_read_from_the_right_up_to_the_first_address_that_is_not_trusted() {
        assert_eq!(client_of(&list("198.51.100.1, 203.0.113.5, 10.9.9.9")), "203.0.113.5");
        assert_eq!(client_of(&list("198.51.100.1 , 203.0.113.5:4711")), "203.0.113.5");
        let lines = [(X_FORWARDED_FOR, "203.0.113.5"), (X_FORWARDED_FOR, "10.0.0.2,10.0.0.3")];
        assert_eq!(client_of(&lines), "203.0.113.5");
        assert_eq!(client_of(&list("10.0.0.7, 10.0.0.8")), "10.0.0.7");
        // An invalid address ends the walk at the proxy that reported it.
        assert_eq!(client_of(&list("203.0.113.5, unknown, 10.0.0.8")), "10.0.0.8");
        assert_eq!(client_of(&list("203.0.113.5, ")), "10.0.0.1");
    }

    #[test]
    fn the_standard_header_is_read_as_well() {
        let forwarded = |value| client_of(&[(FORWARDED, value)]);
        assert_eq!(forwarded("for=203.0.113.5;proto=https, for=10.0.0.2"), "203.0.113.5");
        assert_eq!(forwarded("by=10.0.0.2; For=\"203.0.113.5:80\""), "203.0.113.5");
        assert_eq!(forwarded("for=\"[2001:db8:2::5]:4711\""), "2001:db8:2::");
        assert_eq!(forwarded("for=203.0.113.5, for=_hidden"), "10.0.0.1");
        assert_eq!(forwarded("proto=https"), "10.0.0.1");
    }

    #[test]
    fn headers_that_disagree_are_not_believed() {
        let both = |forwarded, list| client_of(&[(FORWARDED, forwarded), (X_FORWARDED_FOR, list)]);
        assert_eq!(both("for=203.0.113.5", "203.0.113.5"), "203.0.113.5");
        assert_eq!(both("for=198.51.100.1", "203.0.113.5"), "10.0.0.1");
    }

    #[test]
    fn a_client_of_ipv6_is_its_network() {
        assert_eq!(client_from("2001:db8:2:3:4:5:6:7", &[]), "2001:db8:2:3::");
        assert_eq!(client_from("2001:db8:1::9", &list("2001:db8:2::1")), "2001:db8:2::");
    }

    #[test]
    fn networks_have_a_form() {
        for wrong in
            ["", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/", "localhost", "1.2.3.4:5"]
        {
            assert_eq!(wrong.parse::<TrustedProxy>(), Err(TrustedProxyError), "{wrong}");
        }
        let all: TrustedProxy = "0.0.0.0/0".parse().unwrap();
        assert!(all.contains("203.0.113.5".parse().unwrap()));
        assert!(!all.contains("::1".parse().unwrap()));
        let every: TrustedProxy = "::/0".parse().unwrap();
        assert!(every.contains("2001:db8::1".parse().unwrap()));
    }
}
