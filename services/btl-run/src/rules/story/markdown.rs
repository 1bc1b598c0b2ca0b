//! A story as Markdown. Every text is escaped, so that no name can become a link or a heading.

use super::{Story, chapters, places};

/// Returns the story as Markdown.
#[must_use]
pub fn to_markdown(story: &Story) -> String {
    let state = &story.state;
    let mut text = format!("# {}\n\n", plain(&story.title()));
    text += &match story.winner() {
        Some(winner) => format!("**{}** won on day {}.\n", plain(&winner.name), state.day),
        None => "Nobody won.\n".to_owned(),
    };
    for summary in &story.summaries {
        text += &format!("\n## Day {}\n", summary.day);
        for chapter in chapters(story, summary.day) {
            if let Some(title) = &chapter.title {
                text += &format!("\n### {title}\n");
            }
            text += &format!("\n{}\n", plain(&chapter.text));
            for name in &chapter.deaths {
                text += &format!("\n**† {}**\n", plain(name));
            }
        }
        text += &format!("\n{} alive.\n", summary.alive_count);
    }
    text += "\n## Places\n\n| Place | Tribute | |\n|---|---|---|\n";
    for (rank, name, end) in places(story) {
        text += &format!("| {rank} | {} | {end} |\n", plain(name));
    }
    text += "\n## Verification\n\n";
    text += &format!(
        "Match `{}`, rules {}\\\nSeed `{}`\\\nSHA-256 of the seed, published before the first turn `{}`\n",
        state.match_id,
        state.rules_ver,
        story.seed_text(),
        plain(&state.seed_commit),
    );
    text
}

/// Returns the text with every character escaped that has a meaning in Markdown or HTML.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let (mut is_start, mut is_linked) = (true, false);
    while let Some(character) = characters.next() {
        let is_escaped = match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '@' => true,
            // After a scheme, or a host's first label, an address continues without a space.
            ':' | '.' => {
                characters.peek().is_some_and(|next| next.is_alphanumeric() || *next == '/')
            }
            '-' | '+' | '=' => is_start,
            '(' => is_linked,
            _ => false,
        };
        (is_start, is_linked) = (character == '\n', character == ']');
        match character {
            '\n' => plain.push_str("  \n"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '&' => plain.push_str("&amp;"),
            character if is_escaped => plain.extend(['\\', character]),
            character => plain.push(character),
        }
    }
    plain
}
