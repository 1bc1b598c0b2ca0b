//! Key templates as text: `GAME#{start}#{minute:04}`.

/// A part of a template, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text that is always the same.
    Literal(String),
    /// `{name}` or `{name:04}`.
    Field {
        /// The name between the braces.
        name: String,
        /// Digits it is padded to with zeros; 0 for none.
        pad: u8,
    },
    /// `{shard}`
    Shard,
}

/// The reason why a text is not a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// What is wrong and what to write instead.
    pub message: String,
}

/// Reads a template. Literals hold anything but braces; names are Rust identifiers; padding is `:0`
/// and the number of digits, as in Rust's own formatting.
pub fn parse(text: &str) -> Result<Vec<Piece>, TemplateError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        match rest.find(['{', '}']) {
            None => {
                pieces.push(Piece::Literal(rest.to_owned()));
                break;
            }
            Some(position) if rest.as_bytes()[position] == b'}' => {
                return Err(error(format!("`{text}` has a `}}` without a `{{` before it")));
            }
            Some(position) => {
                if position > 0 {
                    pieces.push(Piece::Literal(rest[..position].to_owned()));
                }
                let Some(end) = rest[position..].find('}').map(|end| position + end) else {
                    return Err(error(format!("`{text}` has a `{{` without a `}}` after it")));
                };
                pieces.push(field(text, &rest[position + 1..end])?);
                rest = &rest[end + 1..];
            }
        }
    }
    Ok(pieces)
}

fn field(template: &str, inside: &str) -> Result<Piece, TemplateError> {
    let (name, pad) = match inside.split_once(':') {
        None => (inside, 0),
        Some((name, format)) => (name, padding(template, format)?),
    };
    let is_identifier = !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    if !is_identifier {
        return Err(error(format!(
            "`{{{inside}}}` in `{template}` names no field: write `{{field}}`, or `{{field:04}}` for a number with four digits"
        )));
    }
    if name == "shard" && pad == 0 {
        return Ok(Piece::Shard);
    }
    Ok(Piece::Field { name: name.to_owned(), pad })
}

fn padding(template: &str, format: &str) -> Result<u8, TemplateError> {
    let digits = format.strip_prefix('0').and_then(|digits| digits.parse::<u8>().ok());
    match digits {
        Some(digits @ 1..=38) => Ok(digits),
        _ => Err(error(format!(
            "`:{format}` in `{template}` is not a padding: write `:0` and 1 to 38 digits, such as `:04`"
        ))),
    }
}

fn error(message: String) -> TemplateError {
    TemplateError { message }
}
