//! What texts of requests must be like, and whether ids are free.

use crate::api::prelude::*;

/// The length of the names of leagues and seasons.
pub(crate) const NAME_LENGTH: std::ops::RangeInclusive<usize> = 1..=80;

/// The length of the names of colours.
pub(crate) const COLOR_LENGTH: std::ops::RangeInclusive<usize> = 1..=30;

/// Returns a name without spaces around it.
///
/// # Errors
/// Fails if it is empty afterwards.
pub(crate) fn name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("must not be empty".to_owned()),
        name => Ok(name.to_owned()),
    }
}

/// Checks an id that a client has chosen.
///
/// # Errors
/// Fails if it has other characters than letters, digits, `_` and `-`, or more than 64 of them.
pub(crate) fn id(text: &str) -> Result<String, String> {
    let is_id = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '-');
    if (1..=64).contains(&text.len()) && text.chars().all(is_id) {
        Ok(text.to_owned())
    } else {
        Err("must be 1 to 64 letters, digits, `_` or `-`".to_owned())
    }
}

/// Checks a slug. One that could be an id of the service is refused, because addresses of pages contain both.
///
/// # Errors
/// Fails if it is not words of lower-case letters and digits with one hyphen between them, or too
/// long.
pub(crate) fn slug(text: &str) -> Result<String, String> {
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit())
    };
    if text.len() > 60 || !text.split('-').all(is_word) {
        return Err(
            "must be words of a-z and 0-9 with hyphens between them, at most 60 characters"
                .to_owned(),
        );
    }
    if text.len() == 26 && text.chars().all(|one| !matches!(one, 'i' | 'l' | 'o' | 'u' | '-')) {
        return Err("looks like an id; choose another one".to_owned());
    }
    Ok(text.to_owned())
}

/// The named colours of CSS.
const CSS_COLORS: &str = "
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
    cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
    darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
    darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
    firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
    hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
    lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
    mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
    midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
    palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
    rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue
    slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow
    yellowgreen";

/// Checks a colour: `#RRGGBB`, or the name of a colour in CSS.
///
/// # Errors
/// Fails if it is neither.
pub(crate) fn color(text: &str) -> Result<String, String> {
    let is_hex =
        |digits: &str| digits.len() == 6 && digits.chars().all(|one| one.is_ascii_hexdigit());
    let is_color = match text.strip_prefix('#') {
        Some(digits) => is_hex(digits),
        None => CSS_COLORS.split_whitespace().any(|name| name.eq_ignore_ascii_case(text)),
    };
    if is_color {
        Ok(text.to_owned())
    } else {
        Err("must be #RRGGBB or a colour of CSS".to_owned())
    }
}

/// Makes the problem of a resource that can't be created, because its id or its slug is taken.
pub(crate) fn taken(error: &Error) -> Option<Problem> {
    match error {
        Error::Exists { .. } | Error::OtherType { .. } => Some(Refusal::IdTaken.into()),
        Error::UniqueTaken { .. } => Some(Refusal::SlugTaken.into()),
        _ => None,
    }
}

/// Returns the id that a client has chosen, or a new one. A chosen id must be free: rows of a deleted
/// resource would become part of the new one.
///
/// # Errors
/// Returns 409 if rows of an earlier resource still exist.
pub(crate) async fn free_id<I, R>(
    app: &App,
    chosen: Option<&I>,
    rows: impl FnOnce(&I) -> Rows<R>,
) -> Result<I, Problem>
where
    I: Clone + std::str::FromStr<Err: std::fmt::Display>,
    R: RowSet,
{
    let Some(id) = chosen else { return app.new_id() };
    Refusal::IdTaken.unless(counts::is_empty(rows(id).including_expired()).await?)?;
    Ok(id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_words_that_do_not_look_like_ids() {
        for right in ["a", "fall-2026", "3fc", &"a".repeat(60)] {
            assert!(slug(right).is_ok(), "{right}");
        }
        let id = "01mcc5rm00aaaaaaaaaaaaaaaa";
        for wrong in ["", "-a", "a-", "a--b", "A", "a_b", "ü", &"a".repeat(61), id] {
            assert!(slug(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn colours_are_hexadecimal_or_names_of_css() {
        assert!(["#A1b2C3", "red", "RebeccaPurple"].iter().all(|right| color(right).is_ok()));
        assert!(
            ["", "#12345", "#12345g", "re d", "red;", "reddish"]
                .iter()
                .all(|wrong| color(wrong).is_err())
        );
    }
}
