//! The sources that are checked: a design of areas with five entities and ten access patterns each, and the same
//! structs without a design.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;

/// How large a design is. Every area is the template with `00` replaced by its number.
#[derive(Clone, Copy)]
pub(super) struct Size {
    areas: usize,
    /// Areas with a second set of access patterns.
    areas_with_more: usize,
}

/// The design that is compared with plain structs.
pub(super) const USUAL: Size = Size { areas: 12, areas_with_more: 0 };
/// The design that is checked after a change.
pub(super) const LARGE: Size = Size { areas: 20, areas_with_more: 10 };

impl Size {
    pub(super) fn entities(self) -> usize {
        self.areas * ENTITIES_OF_AREA.len()
    }

    pub(super) fn patterns(self) -> usize {
        (self.areas + self.areas_with_more) * PATTERNS_OF_AREA
    }

    fn areas(self) -> impl Iterator<Item = usize> {
        1..=self.areas
    }

    fn areas_with_more(self) -> impl Iterator<Item = usize> {
        1..=self.areas_with_more
    }
}

const ENTITIES_TEMPLATE: &str = include_str!("entities.template");
const PATTERNS_TEMPLATE: &str = include_str!("patterns.template");
const ENTITIES_OF_AREA: [&str; 5] = ["Club", "Member", "Event", "Order", "Line"];
const PATTERNS_OF_AREA: usize = 10;

/// Derives and attributes of the modelling layer; each attribute has a line of its own.
const DERIVES: [&str; 3] = ["Entity, ", "Id, ", "KeyWord, "];
const ATTRIBUTES: [&str; 10] = [
    "#[entity(",
    "#[key(",
    "#[index(",
    "#[unique(",
    "#[counter]",
    "#[immutable]",
    "#[version]",
    "#[ttl]",
    "#[created]",
    "#[updated]",
];

/// A package to be checked.
pub(super) struct Package {
    pub(super) name: &'static str,
    /// Names of files below `src`, and what is in them.
    files: Vec<(String, String)>,
}

impl Package {
    /// Returns the entities, the table and the access patterns.
    pub(super) fn design(name: &'static str, size: Size) -> Self {
        let mut files = vec![("lib.rs".to_owned(), table(size))];
        for area in size.areas() {
            files.push((format!("entities{area:02}.rs"), numbered(ENTITIES_TEMPLATE, area)));
            files.push((format!("patterns{area:02}.rs"), numbered(PATTERNS_TEMPLATE, area)));
        }
        for area in size.areas_with_more() {
            let more = PATTERNS_TEMPLATE.replace("trait Reads", "trait MoreReads");
            files.push((format!("more{area:02}.rs"), numbered(&more, area)));
        }
        Self { name, files }
    }

    /// Returns a file of it, and the file with one more field in an entity.
    pub(super) fn changed(&self, round: usize) -> Option<(&str, String)> {
        let (name, text) = self.files.iter().find(|(name, _)| name == "entities01.rs")?;
        let first = "pub struct Club01 {";
        let field = format!("{first}\n    pub added{round}: Option<u8>,");
        Some((name, text.replacen(first, &field, 1)))
    }

    /// Returns the structs alone, with serde's derives.
    pub(super) fn plain() -> Self {
        let mut root = "//! The structs of a large design.\n\n".to_owned();
        let mut files = Vec::new();
        for area in USUAL.areas() {
            let _ = writeln!(root, "pub mod entities{area:02};");
            let plain = without_design(&numbered(ENTITIES_TEMPLATE, area));
            files.push((format!("entities{area:02}.rs"), plain));
        }
        root.push_str(&without_design(USER));
        files.push(("lib.rs".to_owned(), root));
        Self { name: "plain", files }
    }

    pub(super) fn lines(&self) -> usize {
        self.files.iter().map(|(_, text)| text.lines().count()).sum()
    }

    /// Writes the package. Files that an earlier version had are nobody's modules any more.
    pub(super) fn write(&self, folder: &Path, monotable: &Path) -> Result<()> {
        let manifest = format!(
            "[package]\nname = {:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             monotable = {{ path = {monotable:?}, default-features = false }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\n",
            self.name
        );
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), manifest)?;
        for (name, text) in &self.files {
            fs::write(folder.join("src").join(name), text)?;
        }
        Ok(())
    }
}

/// The id that all areas share.
const USER: &str = "
use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UserId(String);
";

/// Returns the root of the design: the table over all areas.
fn table(size: Size) -> String {
    let areas = || size.areas().map(|area| format!("{area:02}"));
    let with_more = || size.areas_with_more().map(|area| format!("{area:02}"));
    let mut text = "//! A large design.\n\n".to_owned();
    for area in areas() {
        let _ = writeln!(text, "pub mod entities{area};\npub mod patterns{area};");
    }
    for area in with_more() {
        let _ = writeln!(text, "pub mod more{area};");
    }
    text.push_str(USER);
    for area in areas() {
        let _ = writeln!(text, "use entities{area}::*;\nuse patterns{area}::Reads{area};");
    }
    for area in with_more() {
        let _ = writeln!(text, "use more{area}::MoreReads{area};");
    }
    let entities: Vec<String> =
        areas().flat_map(|area| ENTITIES_OF_AREA.map(|entity| format!("{entity}{area}"))).collect();
    let patterns = areas().map(|area| format!("Reads{area}"));
    let patterns: Vec<String> =
        patterns.chain(with_more().map(|area| format!("MoreReads{area}"))).collect();
    let (entities, patterns) = (entities.join(", "), patterns.join(", "));
    let _ = write!(
        text,
        "
table! {{
    /// One table for everything.
    pub Everything {{
        name = \"everything\";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        index GSI2(GSI2PK, GSI2SK);
        index GSI3(GSI3PK, GSI3SK);
        ttl = ttl;
        entities({entities});
        patterns({patterns});
    }}
}}
"
    );
    text
}

fn numbered(template: &str, area: usize) -> String {
    template.replace("00", &format!("{area:02}"))
}

/// Returns the same structs for serde alone.
fn without_design(text: &str) -> String {
    let is_attribute =
        |line: &&str| ATTRIBUTES.iter().any(|attribute| line.trim_start().starts_with(attribute));
    let mut plain = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !is_attribute(line)) {
        match line.strip_prefix("#[derive(") {
            Some(derives) => {
                let ours = DERIVES.iter().find_map(|derive| derives.strip_prefix(derive));
                plain.push_str("#[derive(");
                plain.push_str(ours.unwrap_or(derives));
            }
            None => plain.push_str(line),
        }
        plain.push('\n');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_have_as_many_entities_and_patterns_as_is_said() {
        let count = |text: &str, what: &str| text.matches(what).count();
        assert_eq!(count(ENTITIES_TEMPLATE, "derive(Entity"), ENTITIES_OF_AREA.len());
        assert_eq!(count(PATTERNS_TEMPLATE, "    fn "), PATTERNS_OF_AREA);
        for entity in ENTITIES_OF_AREA {
            assert_eq!(count(ENTITIES_TEMPLATE, &format!("pub struct {entity}00 {{")), 1);
        }
        assert_eq!((USUAL.entities(), USUAL.patterns()), (60, 120));
        assert_eq!((LARGE.entities(), LARGE.patterns()), (100, 300));
        let design = Package::design("large", LARGE);
        let patterns = design.files.iter().filter(|(name, _)| !name.starts_with("entities"));
        assert_eq!(
            patterns.map(|(_, text)| count(text, "    fn ")).sum::<usize>(),
            LARGE.patterns()
        );
    }

    #[test]
    fn each_change_adds_another_field() {
        let design = Package::design("large", LARGE);
        for round in 0..2 {
            let (name, text) = design.changed(round).unwrap();
            let unchanged = &design.files.iter().find(|(file, _)| file == name).unwrap().1;
            assert_eq!(text.lines().count(), unchanged.lines().count() + 1);
            assert!(text.contains(&format!("added{round}: ")), "{text}");
        }
    }

    #[test]
    fn plain_structs_have_nothing_of_the_design() {
        let plain = Package::plain();
        let texts = || plain.files.iter().map(|(_, text)| text);
        let structs: usize = texts().map(|text| text.matches("pub struct ").count()).sum();
        assert_eq!(structs, USUAL.entities() + USUAL.areas * 3 + 1);
        for text in texts() {
            for line in text.lines().map(str::trim).filter(|line| line.starts_with("#[")) {
                let is_serde = line.starts_with("#[derive(Clone,") || line.starts_with("#[serde(");
                assert!(is_serde, "{line}");
            }
        }
    }
}
