//! A story as Markdown. Every text is escaped: nobody's name can become a link or a heading.

use super::{Story, chapters, places};

/// The story as Markdown.
#[must_use]
pub fn to_markdown(story: &Story) -> String {
    let state = &story.state;
    let mut text = format!("# The story of {}\n\n", plain(&state.theme.arena));
    let winner = state.winner_id.as_ref().and_then(|id| state.tribute(id));
    text += &match winner {
        Some(winner) => format!("**{}** won on day {}.\n", plain(&winner.name), state.day),
        None => "Nobody won.\n".to_owned(),
    };
    for summary in &story.summaries {
        text += &format!("\n## Day {}\n", summary.day);
        for chapter in chapters(story, summary.day) {
            text += &format!("\n### {}\n\n{}\n", chapter.turn_id, plain(&chapter.text));
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

/// The text with every character escaped that means something in Markdown or HTML.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => plain.push_str("  \n"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '&' => plain.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '#' | '|' | '~' | '!' | ':' => {
                plain.push('\\');
                plain.push(character);
            }
            _ => plain.push(character),
        }
    }
    plain
}
