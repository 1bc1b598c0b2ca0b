//! A story as one HTML page without scripts, and with nothing that is loaded from elsewhere.

use super::{Story, chapters, places};

pub(super) const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width\">\n\
    <style>body{max-width:40rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 serif;color:#1b1b1b;\
    background:#fff}blockquote{margin:.5rem 0 .5rem 1rem;font-style:italic}.death{font-weight:bold}\
    code{overflow-wrap:anywhere}td,th{padding:.2rem .8rem;text-align:left}\
    @media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#16181c}a{color:#9cc2ff}}</style>\n";

/// The policy of a story page: its own style, by its hash, and nothing else.
pub const PAGE_POLICY: &str = "default-src 'none'; style-src \
    'sha256-cUt0OIo5H3VWv4ULRke2rTiEYX7VsjpXeEYWMyZiqKs='; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Returns the story as an HTML page.
#[must_use]
pub fn to_html(story: &Story) -> String {
    let state = &story.state;
    let title = escaped(&story.title());
    let mut page = format!("{HEAD}<title>{title}</title>\n</head>\n<body>\n<h1>{title}</h1>\n");
    page += &match story.winner() {
        Some(winner) => {
            format!("<p><strong>{}</strong> won on day {}.</p>\n", escaped(&winner.name), state.day)
        }
        None => "<p>Nobody won.</p>\n".to_owned(),
    };
    for summary in &story.summaries {
        page += &format!("<h2 id=\"day-{0}\">Day {0}</h2>\n", summary.day);
        for chapter in chapters(story, summary.day) {
            if let Some(title) = &chapter.title {
                page += &format!("<h3>{title}</h3>\n");
            }
            page += &format!("<p>{}</p>\n", escaped(&chapter.text));
            for name in &chapter.deaths {
                page += &format!("<p class=\"death\">† {}</p>\n", escaped(name));
            }
        }
        page += &format!("<p>{} alive.</p>\n", summary.alive_count);
    }
    page += "<h2>Places</h2>\n<table>\n<tr><th>Place</th><th>Tribute</th><th></th></tr>\n";
    for (rank, name, end) in places(story) {
        page += &format!("<tr><td>{rank}</td><td>{}</td><td>{end}</td></tr>\n", escaped(name));
    }
    page += &format!(
        "</table>\n<h2>Verification</h2>\n<p>Match <code>{}</code>, rules {}<br>Seed <code>{}</code><br>\
         SHA-256 of the seed, published before the first turn <code>{}</code></p>\n</body>\n</html>\n",
        escaped(state.match_id.as_str()),
        state.rules_ver,
        story.seed_text(),
        escaped(&state.seed_commit),
    );
    page
}

/// Returns the text with every character escaped that has a meaning in HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push_str("<br>\n"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;

    #[test]
    fn the_policy_allows_the_style_of_the_page() {
        let (_, style) = HEAD.split_once("<style>").unwrap();
        let (style, _) = style.split_once("</style>").unwrap();
        let hash = base64_simd::STANDARD.encode_to_string(Sha256::digest(style));
        assert!(PAGE_POLICY.contains(&format!("'sha256-{hash}'")), "{hash}");
    }
}
