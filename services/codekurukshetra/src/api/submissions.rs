//! What teams hand in.

pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod put;

use crate::api::prelude::*;

/// What a team has built.
#[derive(Clone, View)]
#[view(of = Submission, case = "snake", list = "submissions")]
pub(crate) struct SubmissionView {
    pub(crate) team_id: TeamId,
    #[view(example = "Monsoon Watch")]
    pub(crate) title: String,
    #[view(example = "Warns farmers of floods by text message.")]
    pub(crate) description: String,
    #[view(example = "https://github.com/example/monsoon-watch")]
    pub(crate) url: String,
    #[view(example = "https://example.org/demo")]
    pub(crate) demo_url: Option<String>,
    pub(crate) submitted_at: Timestamp,
    pub(crate) submitted_by: ParticipantId,
    #[view(version, from = stamps.version)]
    pub(crate) ver: u64,
}

/// Checks an address of a page.
///
/// # Errors
/// Fails if it is not one that browsers open as a link, as the message of a field.
fn web_address(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_host = |host: &str| host.contains('.') && !host.contains('@');
    let is_one = rest.is_some_and(|rest| {
        is_host(rest.split(['/', '?', '#']).next().unwrap_or_default())
            && rest.chars().all(|one| one.is_ascii_graphic() && !"<>\"'`\\".contains(one))
    });
    if is_one {
        Ok(text.to_owned())
    } else {
        Err("must be an address that begins with https://".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::web_address;

    #[test]
    fn only_addresses_of_pages_become_links() {
        for address in ["https://github.com/a/b", "http://example.org?x=1#y"] {
            assert_eq!(web_address(address).as_deref(), Ok(address));
        }
        for text in [
            "javascript:alert(1)",
            "data:text/html,x",
            "https://",
            "https://nodot/x",
            "https://user@evil.example",
            "https://a.b/\"><script>",
            "//a.b",
            "https://a.b/ä",
        ] {
            assert!(web_address(text).is_err(), "{text}");
        }
    }
}
