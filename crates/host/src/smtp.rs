//! E-mail by SMTP.

use std::net::IpAddr;
use std::time::Duration;

use lettre::message::header::ContentType;
use lettre::message::{Mailbox, MessageBuilder};
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use monotable_kit::outbox::{Letter, MailError, Mailer, Mailing};

/// The longest time for a step of the mail server.
const STEP_MAX: Duration = Duration::from_secs(15);

/// Sends e-mails to a mail server, which delivers them.
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Mailbox,
}

/// Why the settings are invalid.
#[derive(Debug, thiserror::Error)]
pub enum SmtpError {
    /// The URL of the server is invalid.
    #[error(
        "the mail server must be smtps://USER@HOST, smtp://USER@HOST?tls=required or smtp://HOST"
    )]
    Url,
    /// The password would be sent without encryption.
    #[error(
        "a password needs an encrypted connection: use smtps://, or ?tls=required for STARTTLS"
    )]
    PasswordInTheClear,
    /// There is a password without a user.
    #[error("the password has no user; put the user in front of the host, as in smtps://USER@HOST")]
    NoUser,
    /// The sender is not an e-mail address.
    #[error("the sender must be an e-mail address, such as league@example.org")]
    Sender,
    /// TLS is not available.
    #[error("encrypted connections can't be made: {0}")]
    Tls(&'static str),
}

/// How a connection is encrypted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encryption {
    None,
    /// With `STARTTLS`, before which nothing is sent.
    Later,
    FromTheStart,
}

impl SmtpMailer {
    /// Creates a mailer for a server, such as `smtps://user@mail.example.org`, and the sender of
    /// all e-mails. The password is given separately, or in the URL.
    ///
    /// # Errors
    /// Fails if the URL or the sender is invalid, or if a password would be sent to another machine
    /// without encryption.
    pub fn new(url: &str, password: Option<&str>, sender: &str) -> Result<Self, SmtpError> {
        let parts: http::Uri = url.parse().map_err(|_| SmtpError::Url)?;
        let (encryption, usual_port) = match (parts.scheme_str(), parts.query()) {
            (Some("smtps"), None) => (Encryption::FromTheStart, 465),
            (Some("smtp"), Some("tls=required")) => (Encryption::Later, 587),
            (Some("smtp"), None) => (Encryption::None, 25),
            _ => return Err(SmtpError::Url),
        };
        let authority = parts.authority().filter(|it| !it.host().is_empty());
        let authority = authority.ok_or(SmtpError::Url)?;
        let login = authority.as_str().rsplit_once('@').map_or("", |(login, _)| login);
        let (user, in_url) = match login.split_once(':') {
            Some((user, password)) => (user, Some(decoded(password))),
            None => (login, None),
        };
        let sender: Mailbox = sender.parse().map_err(|_| SmtpError::Sender)?;
        let host = authority.host();
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
            .port(authority.port_u16().unwrap_or(usual_port))
            .hello_name(ClientId::Domain(sender.email.domain().to_owned()))
            .timeout(Some(STEP_MAX));
        if let Some(password) = password.map(str::to_owned).or(in_url) {
            if user.is_empty() {
                return Err(SmtpError::NoUser);
            }
            if encryption == Encryption::None && !is_this_machine(host) {
                return Err(SmtpError::PasswordInTheClear);
            }
            transport = transport.credentials(Credentials::new(decoded(user), password));
        }
        let transport = encrypted(transport, encryption, host)?;
        Ok(Self { transport: transport.build(), sender })
    }

    fn message(&self, letter: &Letter) -> Result<Message, MailError> {
        let recipient: Mailbox =
            letter.recipient.parse().map_err(|_| MailError::Never("must be an e-mail address"))?;
        // A repeated e-mail has the same id, so that the recipient sees it once.
        let id = format!("<{}@{}>", letter.fingerprint(), self.sender.email.domain());
        MessageBuilder::new()
            .from(self.sender.clone())
            .to(recipient)
            .subject(letter.subject.as_str())
            .message_id(Some(id))
            .header(ContentType::TEXT_PLAIN)
            .body(letter.text.clone())
            .map_err(|_| MailError::Never("the e-mail can't be written"))
    }
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(feature = "tls")]
fn encrypted(
    transport: AsyncSmtpTransportBuilder,
    encryption: Encryption,
    host: &str,
) -> Result<AsyncSmtpTransportBuilder, SmtpError> {
    use lettre::transport::smtp::client::{Tls, TlsParameters};

    let parameters = || {
        TlsParameters::new(host.to_owned())
            .map_err(|_| SmtpError::Tls("the host has no name that a certificate could have"))
    };
    Ok(match encryption {
        Encryption::None => transport,
        Encryption::Later => transport.tls(Tls::Required(parameters()?)),
        Encryption::FromTheStart => transport.tls(Tls::Wrapper(parameters()?)),
    })
}

#[cfg(not(feature = "tls"))]
fn encrypted(
    transport: AsyncSmtpTransportBuilder,
    encryption: Encryption,
    _host: &str,
) -> Result<AsyncSmtpTransportBuilder, SmtpError> {
    match encryption {
        Encryption::None => Ok(transport),
        _ => Err(SmtpError::Tls("this program was built without the feature tls")),
    }
}

impl Mailer for SmtpMailer {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Mailing<'a> {
        Box::pin(async move {
            let message = self.message(letter)?;
            self.transport.send(message).await.map(drop).map_err(|error| {
                // Only these codes are about the recipient. Others, such as a wrong password, can
                // be corrected.
                match error.status().map(u16::from) {
                    Some(550 | 551 | 553) => {
                        MailError::Never("the mail server refused the address")
                    }
                    Some(_) => MailError::Later("the mail server refused the e-mail"),
                    None => MailError::Later("the mail server can't be reached"),
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::mpsc;

    use super::*;

    /// An SMTP server that records what it receives, line by line. It knows `ann`, and no recipient
    /// called `nobody`.
    async fn server() -> (String, mpsc::UnboundedReceiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (lines, received) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, lines.clone()));
            }
        });
        (address.to_string(), received)
    }

    async fn converse(
        mut stream: TcpStream,
        lines: mpsc::UnboundedSender<String>,
    ) -> std::io::Result<()> {
        let (reader, mut writer) = stream.split();
        let mut reader = BufReader::new(reader).lines();
        writer.write_all(b"220 mail.example ESMTP\r\n").await?;
        let mut is_text = false;
        while let Some(line) = reader.next_line().await? {
            let _ = lines.send(line.clone());
            let response = match line.split([' ', ':']).next().unwrap_or_default() {
                _ if is_text && line != "." => continue,
                "." => "250 accepted",
                "EHLO" => "250-mail.example\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN",
                // user, secret
                "AUTH" if line.ends_with("AHVzZXIAc2VjcmV0") => "235 welcome",
                "AUTH" => "535 wrong password",
                "RCPT" if line.contains("nobody@") => "550 no such user",
                "RCPT" if line.contains("later@") => "451 try again",
                "DATA" => "354 go on",
                "QUIT" => "221 bye",
                _ => "250 ok",
            };
            is_text = line == "DATA";
            writer.write_all(format!("{response}\r\n").as_bytes()).await?;
        }
        Ok(())
    }

    fn letter(recipient: &str) -> Letter {
        Letter {
            recipient: recipient.to_owned(),
            subject: "Result: Rød 1\r\nBcc: eve@example.org".to_owned(),
            text: "Ann scored.\n.\nA line with a dot.\n".to_owned(),
            deduplication_key: "result-1".to_owned(),
        }
    }

    #[tokio::test]
    async fn a_letter_arrives_whole_and_adds_no_header() {
        let (address, mut received) = server().await;
        let mailer =
            SmtpMailer::new(&format!("smtp://{address}"), None, "3FC <league@example.org>")
                .unwrap();
        mailer.deliver(&letter("ann@example.org")).await.unwrap();
        drop(mailer);
        let mut lines = Vec::new();
        while let Some(line) = received.recv().await {
            let is_end = line == ".";
            lines.push(line);
            if is_end {
                break;
            }
        }
        assert_eq!(lines[0], "EHLO example.org");
        assert!(lines[1].starts_with("MAIL FROM:<league@example.org>"), "{lines:?}");
        assert_eq!(lines[2], "RCPT TO:<ann@example.org>");
        assert!(lines.contains(&"To: ann@example.org".to_owned()), "{lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with("Bcc")), "{lines:?}");
        let id = format!("Message-ID: <{}@example.org>", letter("ann@example.org").fingerprint());
        assert!(lines.contains(&id), "{lines:?}");
        let text = lines.iter().position(String::is_empty).unwrap();
        // A line that is a dot would end the e-mail.
        assert_eq!(lines[text + 1..], ["Ann scored.", "..", "A line with a dot.", "", "."]);
    }

    #[tokio::test]
    async fn only_an_unknown_recipient_is_given_up() {
        let (address, _received) = server().await;
        let url = format!("smtp://user@{address}");
        let sender = "league@example.org";
        let mailer = SmtpMailer::new(&url, Some("secret"), sender).unwrap();
        for (recipient, expected) in [
            ("ann@example.org", Ok(())),
            ("nobody@example.org", Err("Never")),
            ("later@example.org", Err("Later")),
            ("not an address", Err("Never")),
        ] {
            let delivered = mailer.deliver(&letter(recipient)).await;
            let outcome = delivered.map_err(|error| match error {
                MailError::Later(_) => "Later",
                MailError::Never(_) => "Never",
            });
            assert_eq!(outcome, expected, "{recipient}");
        }
        for mailer in [
            SmtpMailer::new(&url, Some("wrong"), sender).unwrap(),
            SmtpMailer::new("smtp://127.0.0.1:1", None, sender).unwrap(),
        ] {
            let refused = mailer.deliver(&letter("ann@example.org")).await.unwrap_err();
            assert!(matches!(refused, MailError::Later(_)), "{refused:?}");
        }
    }

    #[test]
    fn settings_that_can_not_work_are_refused() {
        let refused = |url: &str, password: Option<&str>, sender: &str| {
            SmtpMailer::new(url, password, sender).err().map(|error| error.to_string())
        };
        let sender = "league@example.org";
        for url in [
            "",
            "mail.example.org",
            "https://mail.example.org",
            "smtp://",
            "smtp://mail.example.org?tls=opportunistic",
        ] {
            let text = refused(url, None, sender).unwrap();
            assert!(text.contains("smtps://USER@HOST"), "{url}: {text}");
        }
        assert!(refused("smtp://mail.example.org", None, "league").is_some());
        assert!(
            refused("smtps://mail.example.org", Some("secret"), sender).unwrap().contains("user")
        );
        for url in ["smtp://user@mail.example.org", "smtp://user@192.0.2.1:25"] {
            assert!(refused(url, Some("secret"), sender).unwrap().contains("encrypted"), "{url}");
        }
        assert!(refused("smtp://user:secret@mail.example.org", None, sender).is_some());
        for url in ["smtp://mail.example.org", "smtp://user:secret@localhost:2525"] {
            assert_eq!(refused(url, None, sender), None, "{url}");
        }
        if cfg!(feature = "tls") {
            assert_eq!(refused("smtps://user@mail.example.org", Some("secret"), sender), None);
        }
    }
}
