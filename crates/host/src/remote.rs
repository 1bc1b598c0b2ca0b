//! HTTP interfaces of other programs: a language model, a payment gateway.
//!
//! Nothing here logs, and no error contains a secret or the content of a request.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderValue, Method, Request, Response};
use tokio::sync::Semaphore;
use ureq::Timeout;

/// Settings for calls to another program.
#[derive(Clone)]
pub struct RemoteSettings {
    /// The address before the paths of requests, such as `http://localhost:11434/v1`.
    pub base_url: String,
    /// The longest time for a call.
    pub time_max: Duration,
    /// How long a call waits for its turn.
    pub wait_max: Duration,
    /// The maximum number of concurrent calls; each of them uses a thread.
    pub calls_max: usize,
    /// The maximum size of a response.
    pub response_bytes_max: u64,
}

/// Why an address, or the secret for it, is unusable.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// It is not an address.
    #[error("the address must begin with http:// or https://")]
    Address,
    /// This build does not support TLS.
    #[error("an address with https:// needs a build with the feature `tls`")]
    Https,
    /// The secret can't be sent in a header.
    #[error("the secret must be visible ASCII")]
    Secret,
    /// The file of the secret can't be read.
    #[error("the file of the secret can't be read")]
    SecretFile(#[source] std::io::Error),
}

/// Why a call has no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallFailure {
    /// Too many calls are waiting already. Nothing was sent.
    Busy,
    /// No connection could be made. Nothing was sent.
    NotConnected(&'static str),
    /// No response arrived in time. The request may have taken effect.
    TimedOut,
    /// The connection broke, or the response was too large. The request may have taken effect.
    Broken(&'static str),
}

impl CallFailure {
    /// Returns whether the other program may have received the request.
    pub fn may_have_arrived(self) -> bool {
        match self {
            Self::Busy | Self::NotConnected(_) => false,
            Self::TimedOut | Self::Broken(_) => true,
        }
    }
}

impl fmt::Display for CallFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Busy => "too many calls wait for it",
            Self::TimedOut => "it took too long",
            Self::NotConnected(why) | Self::Broken(why) => why,
        })
    }
}

/// An HTTP interface of another program.
pub struct Remote {
    agent: ureq::Agent,
    base_url: String,
    response_bytes_max: u64,
    wait_max: Duration,
    places: Arc<Semaphore>,
}

impl Remote {
    /// Creates the interface of an address. Nothing is sent yet.
    ///
    /// # Errors
    /// Fails if the address can't be reached by HTTP.
    pub fn new(settings: RemoteSettings) -> Result<Self, RemoteError> {
        let base_url = settings.base_url.trim_end_matches('/').to_owned();
        match base_url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase()).as_deref() {
            Some("http") => {}
            Some("https") if cfg!(feature = "tls") => {}
            Some("https") => return Err(RemoteError::Https),
            _ => return Err(RemoteError::Address),
        }
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(settings.time_max))
            // Headers with secrets must not be sent elsewhere.
            .max_redirects(0)
            .http_status_as_error(false)
            .build()
            .new_agent();
        Ok(Self {
            agent,
            base_url,
            response_bytes_max: settings.response_bytes_max,
            wait_max: settings.wait_max,
            places: Arc::new(Semaphore::new(settings.calls_max)),
        })
    }

    /// Returns a request for a path below the address.
    pub fn request(&self, method: Method, path: &str) -> http::request::Builder {
        http::Request::builder().method(method).uri(format!("{}{path}", self.base_url))
    }

    /// Sends a request, and returns the whole response whatever its status is.
    ///
    /// # Errors
    /// Fails if there is no response.
    pub async fn call(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, CallFailure> {
        let place = Arc::clone(&self.places).acquire_owned();
        let Ok(Ok(place)) = tokio::time::timeout(self.wait_max, place).await else {
            return Err(CallFailure::Busy);
        };
        let (agent, bytes_max) = (self.agent.clone(), self.response_bytes_max);
        let calling = tokio::task::spawn_blocking(move || {
            let response = send(&agent, request, bytes_max);
            drop(place);
            response
        });
        calling.await.unwrap_or(Err(CallFailure::Broken("the call failed")))
    }
}

fn send(
    agent: &ureq::Agent,
    request: Request<Vec<u8>>,
    bytes_max: u64,
) -> Result<Response<Vec<u8>>, CallFailure> {
    let sent =
        if request.body().is_empty() { agent.run(request.map(|_| ())) } else { agent.run(request) };
    let (head, mut body) = sent.map_err(|error| failure(&error))?.into_parts();
    let bytes = body.with_config().limit(bytes_max).read_to_vec();
    let bytes = bytes.map_err(|error| match error {
        ureq::Error::Timeout(_) => CallFailure::TimedOut,
        _ => CallFailure::Broken("its response can't be read to the end"),
    })?;
    Ok(Response::from_parts(head, bytes))
}

/// Classifies a failure; the error's own text may contain more than a log should.
fn failure(error: &ureq::Error) -> CallFailure {
    match error {
        ureq::Error::HostNotFound => CallFailure::NotConnected("its name is unknown"),
        ureq::Error::ConnectionFailed
        | ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            CallFailure::NotConnected("the connection failed")
        }
        ureq::Error::Io(error) if is_of_connecting(error.kind()) => {
            CallFailure::NotConnected("the connection failed")
        }
        ureq::Error::Timeout(_) => CallFailure::TimedOut,
        ureq::Error::Io(_) => CallFailure::Broken("the connection broke"),
        _ => CallFailure::Broken("the request failed"),
    }
}

/// Returns whether an error of the network happened before anything was sent.
fn is_of_connecting(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ConnectionRefused
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
            | ErrorKind::AddrNotAvailable
    )
}

/// Returns the value of an `Authorization` header, which `Debug` does not show.
///
/// # Errors
/// Fails if the text can't be sent in a header.
pub fn authorization(text: &str) -> Result<HeaderValue, RemoteError> {
    let mut value = HeaderValue::from_str(text).map_err(|_| RemoteError::Secret)?;
    value.set_sensitive(true);
    Ok(value)
}

/// A secret for another program, which `Debug` does not show.
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteSecret(String);

impl RemoteSecret {
    /// Creates a secret.
    ///
    /// # Errors
    /// Fails if it is empty, or can't be sent in a header.
    pub fn new(text: impl Into<String>) -> Result<Self, RemoteError> {
        let text = text.into();
        let is_fit = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_fit { Ok(Self(text)) } else { Err(RemoteError::Secret) }
    }

    /// Reads a secret from a file if one is given, and otherwise from an environment variable if it
    /// is set.
    ///
    /// # Errors
    /// Fails if the file can't be read, or the secret is unusable.
    pub fn read(file: Option<&str>, variable: &str) -> Result<Option<Self>, RemoteError> {
        let text = match file {
            Some(file) => {
                let text = std::fs::read_to_string(Path::new(file));
                Some(text.map_err(RemoteError::SecretFile)?.trim().to_owned())
            }
            None => std::env::var(variable).ok().filter(|text| !text.is_empty()),
        };
        text.map(Self::new).transpose()
    }

    /// Returns the text, for the program that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for RemoteSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("RemoteSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    use super::*;

    fn settings(base_url: &str) -> RemoteSettings {
        RemoteSettings {
            base_url: base_url.to_owned(),
            time_max: Duration::from_secs(10),
            wait_max: Duration::from_secs(10),
            calls_max: 1,
            response_bytes_max: 100,
        }
    }

    /// Sends this once to the first client, and returns the address.
    fn saying(response: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            stream.write_all(response.as_bytes()).unwrap();
        });
        url
    }

    async fn call(settings: RemoteSettings) -> Result<Response<Vec<u8>>, CallFailure> {
        let remote = Remote::new(settings).unwrap();
        remote.call(remote.request(Method::GET, "/x").body(Vec::new()).unwrap()).await
    }

    #[tokio::test]
    async fn every_status_is_a_response() {
        let url = saying("HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno");
        let response = call(settings(&url)).await.unwrap();
        assert_eq!((response.status().as_u16(), response.body().as_slice()), (404, &b"no"[..]));
    }

    #[tokio::test]
    async fn a_redirect_is_not_followed() {
        let url = saying(
            "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
        );
        assert_eq!(call(settings(&url)).await.unwrap().status().as_u16(), 302);
    }

    #[tokio::test]
    async fn a_failure_says_whether_the_request_may_have_arrived() {
        let refused = {
            let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
            call(settings(&format!("http://{nobody}"))).await.unwrap_err()
        };
        assert_eq!(refused, CallFailure::NotConnected("the connection failed"));
        assert!(!refused.may_have_arrived());
        let silent = call(settings(&saying(""))).await.unwrap_err();
        assert!(matches!(silent, CallFailure::Broken(_)), "{silent:?}");
        let long = "HTTP/1.1 200 OK\r\ncontent-length: 101\r\n\r\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\
                    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
        let long = call(settings(&saying(long))).await.unwrap_err();
        assert!(long.may_have_arrived(), "{long:?}");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let hurried = RemoteSettings { time_max: Duration::from_millis(50), ..settings(&url) };
        assert_eq!(call(hurried).await.unwrap_err(), CallFailure::TimedOut);
    }

    #[tokio::test]
    async fn a_call_without_a_place_is_not_sent() {
        let url = "http://127.0.0.1:1";
        let none = RemoteSettings { calls_max: 0, wait_max: Duration::ZERO, ..settings(url) };
        let failure = call(none).await.unwrap_err();
        assert_eq!(failure, CallFailure::Busy);
        assert!(!failure.may_have_arrived());
    }

    #[test]
    fn addresses_and_secrets_that_no_request_can_use_are_refused() {
        for url in ["", "localhost:80", "ftp://x", "://x"] {
            assert!(matches!(Remote::new(settings(url)), Err(RemoteError::Address)), "{url}");
        }
        assert_eq!(Remote::new(settings("https://x")).is_ok(), cfg!(feature = "tls"));
        for secret in ["", "a b", "é", "a\n"] {
            assert!(matches!(RemoteSecret::new(secret), Err(RemoteError::Secret)), "{secret}");
        }
        assert!(matches!(
            RemoteSecret::read(Some("/nowhere/at-all"), "X"),
            Err(RemoteError::SecretFile(_))
        ));
        assert_eq!(RemoteSecret::read(None, "MONOTABLE_NO_SUCH_VARIABLE").unwrap(), None);
        assert_eq!(format!("{:?}", RemoteSecret::new("s3cret").unwrap()), "RemoteSecret(…)");
    }
}
