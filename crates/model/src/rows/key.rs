//! Rule keys: where a rule stores its row, declared with the table.

use std::fmt;
use std::sync::Arc;

use monotable_design::meta::{KeyMeta, RuleAttributes, RuleKind, RuleMeta, Segment, Template};

use super::row::RuleRow;
use crate::context::key_texts;
use crate::key::{KeyError, ParsedParts, PartText, Parts, parse_template, render};

/// The key of a rule that is kept as a row. Derive it, and list it in `rules(…)` of the `table!`.
///
/// ```
/// # extern crate monotable_model as monotable;
/// use monotable_model::RuleKey;
/// use monotable_model::rows::GuardKey as _;
///
/// /// The game that a team plays now.
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME")]
/// pub struct ActiveGame {
///     pub team_id: String,
/// }
///
/// let hold = ActiveGame { team_id: "t1".to_owned() }.guard().hold("game-7"); // db.run(hold).await?
/// # let _ = hold;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rule key",
    note = "declare it: `#[derive(RuleKey)] #[rule(Guard, pk = \"TEAM#{{team_id}}\", sk = \"ACTIVE_GAME\")]`"
)]
pub trait RuleKey: Parts + Clone + Send + Sync + 'static {
    /// The declaration as data.
    const META: &'static RuleMeta;
}

/// The partition and sort key of a rule's row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RowKey {
    pub(super) partition: String,
    pub(super) sort: Option<String>,
}

impl RowKey {
    /// Renders the templates of a key.
    pub(super) fn render(
        rule: &'static RuleMeta,
        key: &KeyMeta,
        parts: &dyn Parts,
    ) -> Result<Self, KeyError> {
        let (partition, sort) = key_texts(&rule.row, key, parts)?;
        Ok(Self { partition, sort })
    }

    /// Returns the templates as texts, for messages about a key that cannot be rendered.
    pub(super) fn templates(key: &KeyMeta) -> Self {
        let text = |template: &Template| template.text.to_owned();
        Self { partition: text(&key.partition), sort: key.sort.as_ref().map(text) }
    }
}

impl fmt::Display for RowKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.partition)?;
        match &self.sort {
            Some(sort) => write!(formatter, " / {sort}"),
            None => Ok(()),
        }
    }
}

/// A rule key with a number in its sort key: of a window, or of an event.
#[derive(Clone)]
pub(super) struct NumberedKey {
    rule: &'static RuleMeta,
    parts: Arc<dyn Parts + Send + Sync>,
}

impl fmt::Debug for NumberedKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&RowKey::templates(&self.rule.row.key), formatter)
    }
}

impl NumberedKey {
    pub(super) fn new<K: RuleKey>(key: K) -> Self {
        Self { rule: K::META, parts: Arc::new(key) }
    }

    /// Returns the position of the number, which follows those of the fields.
    fn position(&self) -> u16 {
        u16::try_from(self.rule.row.fields.len()).unwrap_or(u16::MAX)
    }

    /// Returns the attributes of the rows.
    pub(super) fn attributes(&self) -> &'static RuleAttributes {
        &self.rule.attributes
    }

    /// Returns the row with a number.
    pub(super) fn row(&self, kind: RuleKind, number: u64) -> RuleRow {
        let parts = Numbered { parts: &*self.parts, position: self.position(), number };
        RuleRow::rendered(kind.word(), self.rule, &self.rule.row.key, &parts)
    }

    /// Returns the snapshot of a log, next to its numbered rows.
    pub(super) fn snapshot(&self, kind: &'static str) -> RuleRow {
        let mirror = self.rule.row.mirrors.first().and_then(|mirror| mirror.key.as_ref());
        RuleRow::rendered(kind, self.rule, mirror.unwrap_or(&self.rule.row.key), &*self.parts)
    }

    /// Returns the partition key, for messages: its template if it can't be rendered.
    pub(super) fn partition(&self) -> String {
        let template = &self.rule.row.key.partition;
        match render(template, &*self.parts, None) {
            Ok(Some(partition)) => partition,
            Ok(None) | Err(_) => template.text.to_owned(),
        }
    }

    /// Returns the greatest number that the padding allows.
    pub(super) fn last(&self) -> u64 {
        let position = self.position();
        let segments = self.rule.row.key.sort.as_ref().map_or(&[][..], |sort| sort.segments);
        let pad = segments.iter().find_map(|segment| match segment {
            Segment::Field { position: at, pad, .. } if *at == position => Some(*pad),
            _ => None,
        });
        let digits = u32::from(pad.unwrap_or(0));
        10_u64.checked_pow(digits).map_or(u64::MAX, |next| next - 1)
    }

    /// Returns the number in a sort key, if it is one of these keys.
    pub(super) fn number(&self, kind: RuleKind, sort: &str) -> Option<u64> {
        let mut parsed = ParsedParts::default();
        let is_like = parse_template(self.rule.row.key.sort.as_ref()?, sort, &mut parsed);
        let number = parsed.value(self.position()).ok().filter(|_| is_like)?;
        (self.row(kind, number).key.sort.as_deref() == Some(sort)).then_some(number)
    }
}

/// The fields of a key, followed by a number.
struct Numbered<'a> {
    parts: &'a dyn Parts,
    position: u16,
    number: u64,
}

impl Parts for Numbered<'_> {
    fn write_part(&self, position: u16, pad: u8, text: &mut String) -> Result<bool, KeyError> {
        if position == self.position {
            return self.number.write(pad, text).map(|()| true);
        }
        self.parts.write_part(position, pad, text)
    }
}
