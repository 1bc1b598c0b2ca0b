//! The design document: what a team would write by hand about its table, made from the design.
//!
//! The order is that of hand-written design documents: the table, its entities and their keys, its
//! indexes, the attributes, unique constraints, and every access pattern with its operation.

mod grid;
mod operation;

use grid::Grid;

use crate::ir::{
    Allow, Codec, Design, Entity, EntityIndex, Field, Index, IndexKind, Key, Pattern, Projection,
    RuleAttributes, Target, WireType,
};
use crate::rules;

impl Design {
    /// Returns the design document as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut document = format!("# {}\n\n", self.name);
        prose(&mut document, &self.doc);
        self.profile(&mut document);
        self.entity_keys(&mut document);
        self.index_list(&mut document);
        self.second_rows(&mut document);
        self.rule_keys(&mut document);
        self.access_patterns(&mut document);
        self.attributes(&mut document);
        self.exceptions(&mut document);
        document.truncate(document.trim_end().len());
        document.push('\n');
        document
    }

    fn profile(&self, document: &mut String) {
        document.push_str("## Table\n\n");
        let mut grid = Grid::new(["Property", "Value"]);
        grid.row(["Name".to_owned(), code(&self.table_name)]);
        grid.row(["Partition key".to_owned(), code(&self.partition_key)]);
        grid.row(["Sort key".to_owned(), self.sort_key.as_deref().map(code).unwrap_or_default()]);
        let type_attribute = self.type_attribute.as_deref().map(code);
        let by_key = || "none; the keys determine the type".to_owned();
        grid.row(["Type of a row".to_owned(), type_attribute.unwrap_or_else(by_key)]);
        if let Some(ttl) = &self.ttl_attribute {
            grid.row(["Expiry".to_owned(), format!("{}, in epoch seconds", code(ttl))]);
        }
        if let Some(codec) = &self.codec {
            grid.row(["Rows".to_owned(), codec_text(codec)]);
        }
        if !self.targets.is_empty() {
            let targets: Vec<_> = self.targets.iter().map(|target| target_text(*target)).collect();
            grid.row(["Runs on".to_owned(), targets.join(", ")]);
        }
        let patterns = self.patterns().count();
        let contents = format!(
            "{}, {}, {}",
            count(self.entities.len(), "entity", "entities"),
            count(self.indexes.len(), "index", "indexes"),
            count(patterns, "access pattern", "access patterns"),
        );
        grid.row(["Holds".to_owned(), contents]);
        grid.write(document);
    }

    fn entity_keys(&self, document: &mut String) {
        document.push_str("## Entities\n\n");
        let mut headings = vec!["Entity".to_owned(), code(&self.partition_key)];
        headings.extend(self.sort_key.as_deref().map(code));
        headings.extend(self.indexes.iter().map(|index| index.name.clone()));
        let mut grid = Grid::new(headings);
        for entity in &self.entities {
            let mut row = vec![entity.name.clone(), partition_text(&entity.key)];
            if self.sort_key.is_some() {
                row.push(entity.key.sort.as_deref().map(code).unwrap_or_default());
            }
            row.extend(self.indexes.iter().map(|index| index_keys(entity, index)));
            grid.row(row);
        }
        grid.write(document);
    }

    fn index_list(&self, document: &mut String) {
        if self.indexes.is_empty() {
            return;
        }
        document.push_str("## Indexes\n\n");
        let mut grid =
            Grid::new(["Index", "Kind", "Partition key", "Sort key", "Projection", "Used by"]);
        for index in &self.indexes {
            let kind = match index.kind {
                IndexKind::Global => "global",
                IndexKind::Local => "local",
            };
            // A local index may leave out the partition key that it shares with the table.
            let partition = match index.partition.as_slice() {
                [] => code(&self.partition_key),
                attributes => codes(attributes),
            };
            let projection = match &index.projection {
                Projection::All => "all".to_owned(),
                Projection::KeysOnly => "keys only".to_owned(),
                Projection::Include(attributes) => format!("keys and {}", codes(attributes)),
            };
            let users =
                self.patterns().filter(|pattern| pattern.index.as_ref() == Some(&index.name));
            let users: Vec<_> = users.map(|pattern| code(&pattern.name)).collect();
            grid.row([
                index.name.clone(),
                kind.to_owned(),
                partition,
                codes(&index.sort),
                projection,
                users.join(", "),
            ]);
        }
        grid.write(document);
    }

    fn second_rows(&self, document: &mut String) {
        let mut unique = Grid::new(["Entity", "Unique", "Kept by the row", "Notes"]);
        let mut mirrors = Grid::new(["Entity", "Written as well", "Key"]);
        for entity in &self.entities {
            for constraint in &entity.unique {
                let mut notes = Vec::new();
                if constraint.is_sparse {
                    notes.push("only while present");
                }
                if !constraint.is_released {
                    notes.push("taken for ever");
                }
                unique.row([
                    entity.name.clone(),
                    codes(&constraint.fields),
                    format!("{} / {}", code(&constraint.partition), code(&constraint.sort)),
                    notes.join(", "),
                ]);
            }
            for mirror in &entity.mirrors {
                let key = match (&mirror.key, self.entity(&mirror.entity)) {
                    (Some(key), _) => key_text(key),
                    (None, Some(other)) => key_text(&other.key),
                    (None, None) => String::new(),
                };
                let name = if mirror.entity == entity.name { "itself" } else { &mirror.entity };
                mirrors.row([entity.name.clone(), name.to_owned(), key]);
            }
        }
        if !unique.is_empty() {
            document.push_str("## Unique values\n\n");
            unique.write(document);
        }
        if !mirrors.is_empty() {
            document.push_str("## Mirrors\n\n");
            mirrors.write(document);
        }
    }

    fn rule_keys(&self, document: &mut String) {
        if self.rules.is_empty() {
            return;
        }
        document.push_str("## Rules kept as rows\n\n");
        let mut grid = Grid::new(["Key", "Rule", "Rows", "Attributes", "Read as", "For"]);
        for rule in &self.rules {
            let kinds: Vec<_> = rule.kinds.iter().map(|kind| kind.words()).collect();
            let mut rows = key_text(&rule.key);
            if let Some(snapshot) = &rule.snapshot {
                rows.push_str(&format!(", snapshot {}", code(snapshot)));
            }
            let readers =
                self.entities.iter().filter(|entity| entity.rule.as_ref() == Some(&rule.name));
            let readers: Vec<_> = readers.map(|entity| entity.name.clone()).collect();
            grid.row([
                rule.name.clone(),
                kinds.join(", "),
                rows,
                rule_attributes(&rule.attributes),
                readers.join(", "),
                summary(&rule.doc),
            ]);
        }
        grid.write(document);
    }

    fn access_patterns(&self, document: &mut String) {
        if self.pattern_sets.is_empty() {
            return;
        }
        document.push_str("## Access patterns\n\n");
        let mut number = 0;
        for set in &self.pattern_sets {
            document.push_str(&format!("### {}\n\n", set.name));
            prose(document, &set.doc);
            let mut grid = Grid::new(["#", "Question", "Pattern", "Operation", "Returns"]);
            for pattern in &set.patterns {
                number += 1;
                grid.row([
                    number.to_string(),
                    summary(&pattern.doc),
                    code(&pattern.name),
                    operation::text(self, pattern),
                    operation::returns(pattern),
                ]);
            }
            grid.write(document);
        }
    }

    fn attributes(&self, document: &mut String) {
        document.push_str("## Attributes\n\n");
        for entity in &self.entities {
            document.push_str(&format!("### {}\n\n", entity.name));
            prose(document, &entity.doc);
            if let Some(attribute) = &self.type_attribute {
                let type_name = code(&entity.type_name);
                document.push_str(&format!("{} is {type_name}.\n\n", code(attribute)));
            }
            // What is true of all rows of the table is written once, at the top.
            if self.codec.is_none() && entity.codec != Codec::Plain {
                document.push_str(&format!("Rows are {}.\n\n", codec_text(&entity.codec)));
            }
            let mut grid = Grid::new(["Attribute", "Type", "In Rust", "Notes"]);
            for field in &entity.fields {
                grid.row([
                    code(&field.attribute),
                    wire_type(field.wire_type).to_owned(),
                    code(&field.rust_type),
                    notes(entity, field),
                ]);
            }
            grid.write(document);
        }
    }

    fn exceptions(&self, document: &mut String) {
        document.push_str("## Rules not followed\n\n");
        let mut grid = Grid::new(["Rule", "Where", "The rule", "Why not here"]);
        let mut add = |place: &str, allows: &[Allow]| {
            for allow in allows {
                let what = rules::rule(&allow.rule).map_or("", |rule| rule.what);
                grid.row([allow.rule.as_str(), place, what, allow.because.as_str()]);
            }
        };
        add("the table", &self.allows);
        for index in &self.indexes {
            add(&format!("index {}", index.name), &index.allows);
        }
        for entity in &self.entities {
            add(&entity.name, &entity.allows);
        }
        for rule in &self.rules {
            add(&format!("rule key {}", rule.name), &rule.allows);
        }
        for pattern in self.patterns() {
            add(&code(&pattern.name), &pattern.allows);
        }
        if grid.is_empty() {
            document.push_str("None: the design follows every rule.\n");
        } else {
            grid.write(document);
        }
    }

    fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.pattern_sets.iter().flat_map(|set| &set.patterns)
    }
}

/// Returns the attributes that a rule writes, each with what it holds.
fn rule_attributes(attributes: &RuleAttributes) -> String {
    let value = Some(&attributes.value);
    let named = [
        (value, "value"),
        (attributes.version.as_ref(), "version"),
        (attributes.lease.as_ref(), "lease"),
        (attributes.sequence.as_ref(), "sequence"),
        (attributes.expiry.as_ref(), "expiry"),
        (attributes.former_value.as_ref(), "value of older rows"),
        (attributes.type_name.as_ref(), "type"),
    ];
    let named = named.iter().filter_map(|(name, what)| Some(format!("{what} {}", code((*name)?))));
    named.collect::<Vec<_>>().join(", ")
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn codes(texts: &[String]) -> String {
    let texts: Vec<_> = texts.iter().map(|text| code(text)).collect();
    texts.join(", ")
}

fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// Appends the text of a documentation comment unchanged.
fn prose(document: &mut String, doc: &str) {
    let lines: Vec<_> = doc.trim().lines().map(str::trim).collect();
    if !doc.trim().is_empty() {
        document.push_str(&lines.join("\n"));
        document.push_str("\n\n");
    }
}

/// Returns the first paragraph of a documentation comment in one line.
fn summary(doc: &str) -> String {
    let lines: Vec<_> =
        doc.trim().lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    lines.join(" ")
}

fn partition_text(key: &Key) -> String {
    match &key.shards {
        Some(shards) => format!("{} in {} shards", code(&key.partition), shards.count),
        None => code(&key.partition),
    }
}

fn key_text(key: &Key) -> String {
    match &key.sort {
        Some(sort) => format!("{} / {}", partition_text(key), code(sort)),
        None => partition_text(key),
    }
}

/// Returns the keys that an entity writes for an index.
fn index_keys(entity: &Entity, index: &Index) -> String {
    let Some(written) = entity.indexes.iter().find(|written| written.index == index.name) else {
        return String::new();
    };
    let EntityIndex { partition, sort, is_sparse, shards, .. } = written;
    let templates: Vec<_> = partition.iter().chain(sort).map(|template| code(template)).collect();
    let mut text = templates.join(" / ");
    if let Some(shards) = shards {
        text.push_str(&format!(" in {} shards", shards.count));
    }
    if *is_sparse {
        text.push_str(" (sparse)");
    }
    text
}

fn codec_text(codec: &Codec) -> String {
    match codec {
        Codec::Plain => "plain attributes".to_owned(),
        Codec::Envelope { data } => format!("a JSON string in {}", code(data)),
        Codec::ValueRow => "key-value rows (`v`, `ct`, `ver`, `ttl`, `meta`)".to_owned(),
    }
}

const fn target_text(target: Target) -> &'static str {
    match target {
        Target::Embedded => "the embedded engine",
        Target::DynamoDb => "Amazon DynamoDB",
        Target::Alternator => "ScyllaDB Alternator",
    }
}

const fn wire_type(wire_type: WireType) -> &'static str {
    match wire_type {
        WireType::S => "S",
        WireType::N => "N",
        WireType::B => "B",
        WireType::Bool => "BOOL",
        WireType::L => "L",
        WireType::M => "M",
        WireType::Unknown => "by serde",
    }
}

/// Returns what is special about a field.
fn notes(entity: &Entity, field: &Field) -> String {
    let is_named = |name: &Option<String>| name.as_ref() == Some(&field.name);
    // What the layer writes is never left out by a program.
    let is_kept = [&entity.version, &entity.created, &entity.updated].into_iter().any(is_named);
    let marks = [
        (field.is_key_only, "in the key only"),
        (field.key_part.is_some() && !field.is_key_only, "in keys"),
        (is_named(&entity.version), "version"),
        (is_named(&entity.ttl), "expiry"),
        (is_named(&entity.created), "time of creation"),
        (is_named(&entity.updated), "time of the last change"),
        (field.is_immutable, "immutable"),
        (field.is_counter, "counter"),
        (field.is_value, "the value itself"),
        (field.is_top_level, "outside the envelope"),
        (!field.is_required && !is_kept, "optional"),
    ];
    let marks = marks.into_iter().filter(|(holds, _)| *holds).map(|(_, mark)| mark.to_owned());
    let copy = field.copy_of.iter().map(|copy| format!("copy of {}::{}", copy.entity, copy.field));
    let doc = Some(summary(&field.doc)).filter(|doc| !doc.is_empty());
    let notes: Vec<_> = marks.chain(copy).collect();
    match (notes.is_empty(), doc) {
        (true, doc) => doc.unwrap_or_default(),
        (false, None) => notes.join(", "),
        (false, Some(doc)) => format!("{doc} ({})", notes.join(", ")),
    }
}

#[cfg(test)]
mod tests;
