//! Names of Rust in JSON, paths and codes.

/// Turns `game_id` into `gameId`.
pub(crate) fn camel(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut is_start = false;
    for character in name.trim_start_matches("r#").chars() {
        match character {
            '_' => is_start = true,
            character if is_start => {
                camel.extend(character.to_uppercase());
                is_start = false;
            }
            character => camel.push(character),
        }
    }
    camel
}

/// Splits `TeamDeleted` into `team`, `deleted`.
fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for character in name.chars() {
        match parts.last_mut() {
            Some(part) if !character.is_uppercase() => part.push(character),
            _ => parts.push(character.to_lowercase().collect()),
        }
    }
    parts
}

/// Turns `TeamDeleted` into `TEAM_DELETED`.
pub(crate) fn code(name: &str) -> String {
    parts(name).join("_").to_uppercase()
}

/// Turns the name of a variant into its word by a rule of serde's `rename_all`.
pub(crate) fn word(rule: Option<&str>, name: &str) -> Option<String> {
    Some(match rule {
        None => name.to_owned(),
        Some("lowercase") => name.to_lowercase(),
        Some("UPPERCASE") => name.to_uppercase(),
        Some("snake_case") => parts(name).join("_"),
        Some("SCREAMING_SNAKE_CASE") => code(name),
        Some("kebab-case") => parts(name).join("-"),
        Some("camelCase") => camel(&parts(name).join("_")),
        Some("PascalCase") => name.to_owned(),
        Some(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_convention_of_where_they_are_used() {
        assert_eq!(camel("own_goal"), "ownGoal");
        assert_eq!(camel("r#type"), "type");
        assert_eq!(code("TeamDeleted"), "TEAM_DELETED");
        assert_eq!(word(Some("snake_case"), "HostAndPlayer").as_deref(), Some("host_and_player"));
        assert_eq!(word(Some("camelCase"), "InProgress").as_deref(), Some("inProgress"));
        assert_eq!(word(Some("Title"), "A"), None);
    }
}
