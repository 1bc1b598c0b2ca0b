//! Projections: the parts of an item to return, and the reduction of an item to them.
//!
//! The results of `UPDATED_OLD` and `UPDATED_NEW` are projections onto the written paths.

use std::collections::BTreeMap;

use monotable_types::{AttributeValue, Item};

use crate::{Attributes, Path, Step};

/// The paths to return.
///
/// ```
/// use monotable_expression::{Path, Projection};
/// use monotable_types::{item, list, map};
///
/// let projection = Projection::of([
///     Path::attribute("name"),
///     Path::attribute("scores").index(2),
///     Path::attribute("scores").index(0),
/// ]);
/// let item = item! { "name" => "Ada", "team" => "Reds", "scores" => list![1, 2, 3] };
/// let cut = item! { "name" => "Ada", "scores" => list![1, 3] };
/// assert_eq!(projection.apply(&item), cut);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Projection {
    /// The paths in the order written.
    pub paths: Vec<Path>,
}

/// The parts of a value to keep: all of it, or some.
enum Selection<'p> {
    All,
    Parts { keys: BTreeMap<&'p str, Selection<'p>>, indexes: BTreeMap<usize, Selection<'p>> },
}

impl Projection {
    /// Returns a projection onto `paths`.
    pub fn of<P: Into<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self { paths: paths.into_iter().map(Into::into).collect() }
    }

    /// Returns the named parts of `item`. Maps keep only the named entries, lists only the named
    /// elements in their order, and paths that do not exist add nothing.
    pub fn apply(&self, item: &impl Attributes) -> Item {
        project(self.paths.iter(), item)
    }
}

/// Returns the named parts of `item`.
pub(crate) fn project<'p>(
    paths: impl Iterator<Item = &'p Path> + Clone,
    item: &impl Attributes,
) -> Item {
    let mut projected = Item::new();
    for path in paths.clone() {
        if projected.contains_key(&path.root) {
            continue;
        }
        let Some(value) = item.attribute(&path.root) else {
            continue;
        };
        if path.is_attribute() {
            projected.insert(path.root.clone(), value.into_owned());
            continue;
        }
        // All paths into this attribute are handled together, so that their parts are in one value.
        let mut selection = Selection::nothing();
        for part in paths.clone().filter(|other| other.root == path.root) {
            selection.add(&part.steps);
        }
        if let Some(value) = selection.cut(&value) {
            projected.insert(path.root.clone(), value);
        }
    }
    projected
}

impl<'p> Selection<'p> {
    fn nothing() -> Self {
        Self::Parts { keys: BTreeMap::new(), indexes: BTreeMap::new() }
    }

    fn add(&mut self, steps: &'p [Step]) {
        let mut selection = self;
        for step in steps {
            let Self::Parts { keys, indexes } = selection else {
                return;
            };
            selection = match step {
                Step::Key(name) => keys.entry(name).or_insert_with(Self::nothing),
                Step::Index(index) => indexes.entry(*index).or_insert_with(Self::nothing),
            };
        }
        *selection = Self::All;
    }

    fn cut(&self, value: &AttributeValue) -> Option<AttributeValue> {
        let (keys, indexes) = match self {
            Self::All => return Some(value.clone()),
            Self::Parts { keys, indexes } => (keys, indexes),
        };
        match value {
            AttributeValue::M(entries) => {
                let kept: BTreeMap<_, _> = keys
                    .iter()
                    .filter_map(|(name, part)| {
                        let (name, entry) = entries.get_key_value(*name)?;
                        Some((name.clone(), part.cut(entry)?))
                    })
                    .collect();
                (!kept.is_empty()).then_some(AttributeValue::M(kept))
            }
            AttributeValue::L(elements) => {
                let kept: Vec<_> = indexes
                    .iter()
                    .filter_map(|(index, part)| part.cut(elements.get(*index)?))
                    .collect();
                (!kept.is_empty()).then_some(AttributeValue::L(kept))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_types::{item, list, map};

    fn check(paths: impl IntoIterator<Item = Path>, expected: Item) {
        let item = item! {
            "a" => 1,
            "m" => map! { "x" => 1, "y" => map! { "z" => 2, "w" => 3 } },
            "l" => list![10, map! { "k" => 11, "v" => 12 }, 13],
        };
        assert_eq!(Projection::of(paths).apply(&item), expected);
    }

    #[test]
    fn parts_of_one_attribute_come_together() {
        let m = || Path::attribute("m");
        check(
            [m().key("y").key("w"), Path::attribute("a"), m().key("x")],
            item! { "a" => 1, "m" => map! { "x" => 1, "y" => map! { "w" => 3 } } },
        );
    }

    #[test]
    fn list_elements_close_up_in_their_order() {
        let l = || Path::attribute("l");
        check(
            [l().index(2), l().index(1).key("v"), l().index(7)],
            item! { "l" => list![map! { "v" => 12 }, 13] },
        );
    }

    #[test]
    fn paths_that_lead_nowhere_leave_nothing() {
        check(
            [
                Path::attribute("none"),
                Path::attribute("m").key("none"),
                Path::attribute("l").key("x"),
                Path::attribute("a").index(0),
            ],
            item! {},
        );
    }

    #[test]
    fn a_whole_attribute_wins_over_its_parts() {
        let m = || Path::attribute("m");
        let whole = item! { "m" => map! { "x" => 1, "y" => map! { "z" => 2, "w" => 3 } } };
        check([m().key("x"), m()], whole.clone());
        check([m(), m().key("x")], whole);
    }
}
