//! The update tree of `UpdateExpression` and its builders. `apply` applies it.

use monotable_types::{AttributeValue, Item, value_size_bytes};

use crate::{Path, projection};

/// An update of an item: four lists of actions, one for each section of the expression.
///
/// ```
/// use monotable_expression::{SetOperand, Update};
/// use monotable_types::item;
///
/// let update = Update::new()
///     .set("name", "Ada")
///     .set("level", SetOperand::if_not_exists("level", 1).plus(1))
///     .add("goals", 2)
///     .remove("draft");
/// let mut item = item! { "goals" => 3, "draft" => true };
/// update.apply(&mut item)?;
/// assert_eq!(item, item! { "name" => "Ada", "level" => 2, "goals" => 5 });
/// # Ok::<(), monotable_expression::UpdateError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Update {
    /// `SET path = value`
    pub set: Vec<(Path, SetValue)>,
    /// `REMOVE path`
    pub remove: Vec<Path>,
    /// `ADD path value`, with a number or a set.
    pub add: Vec<(Path, AttributeValue)>,
    /// `DELETE path value`, with a set.
    pub delete: Vec<(Path, AttributeValue)>,
}

/// The right side of a `SET` action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SetValue {
    /// The operand itself.
    Operand(SetOperand),
    /// `left + right`
    Plus(SetOperand, SetOperand),
    /// `left - right`
    Minus(SetOperand, SetOperand),
}

/// An operand of a `SET` action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SetOperand {
    /// The value at a path of the item as it was before the update.
    Path(Path),
    /// A value of the request.
    Value(AttributeValue),
    /// `if_not_exists(path, default)`
    IfNotExists(Path, Box<SetOperand>),
    /// `list_append(first, second)`
    ListAppend(Box<SetOperand>, Box<SetOperand>),
}

impl SetOperand {
    /// Returns `if_not_exists(path, default)`.
    pub fn if_not_exists(path: impl Into<Path>, default: impl Into<Self>) -> Self {
        Self::IfNotExists(path.into(), Box::new(default.into()))
    }

    /// Returns `list_append(first, second)`.
    pub fn list_append(first: impl Into<Self>, second: impl Into<Self>) -> Self {
        Self::ListAppend(Box::new(first.into()), Box::new(second.into()))
    }

    /// Returns `self + right`.
    pub fn plus(self, right: impl Into<Self>) -> SetValue {
        SetValue::Plus(self, right.into())
    }

    /// Returns `self - right`.
    pub fn minus(self, right: impl Into<Self>) -> SetValue {
        SetValue::Minus(self, right.into())
    }
}

impl From<Path> for SetOperand {
    fn from(path: Path) -> Self {
        Self::Path(path)
    }
}

impl<T: Into<SetOperand>> From<T> for SetValue {
    fn from(operand: T) -> Self {
        Self::Operand(operand.into())
    }
}

macro_rules! from_values {
    ($($value:ty),* $(,)?) => {$(
        impl From<$value> for SetOperand {
            fn from(value: $value) -> Self {
                Self::Value(value.into())
            }
        }
    )*};
}

from_values! {
    AttributeValue, &str, String, monotable_types::Number, bool,
    i8, i16, i32, i64, isize, u8, u16, u32, u64, usize,
    Vec<AttributeValue>, Item, monotable_types::Set<String>,
    monotable_types::Set<monotable_types::Number>, monotable_types::Set<Vec<u8>>,
}

impl SetValue {
    fn value_bytes(&self) -> usize {
        match self {
            Self::Operand(operand) => operand.value_bytes(),
            Self::Plus(left, right) | Self::Minus(left, right) => {
                left.value_bytes() + right.value_bytes()
            }
        }
    }
}

impl SetOperand {
    fn value_bytes(&self) -> usize {
        match self {
            Self::Path(_) => 0,
            Self::Value(value) => value_size_bytes(value),
            Self::IfNotExists(_, default) => default.value_bytes(),
            Self::ListAppend(first, second) => first.value_bytes() + second.value_bytes(),
        }
    }

    fn for_each_path<'a>(&'a self, visit: &mut impl FnMut(&'a Path)) {
        match self {
            Self::Path(path) => visit(path),
            Self::Value(_) => {}
            Self::IfNotExists(path, default) => {
                visit(path);
                default.for_each_path(visit);
            }
            Self::ListAppend(first, second) => {
                first.for_each_path(visit);
                second.for_each_path(visit);
            }
        }
    }
}

impl Update {
    /// Returns an update without actions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `SET path = value`.
    #[must_use]
    pub fn set(mut self, path: impl Into<Path>, value: impl Into<SetValue>) -> Self {
        self.set.push((path.into(), value.into()));
        self
    }

    /// Adds `REMOVE path`.
    #[must_use]
    pub fn remove(mut self, path: impl Into<Path>) -> Self {
        self.remove.push(path.into());
        self
    }

    /// Adds `ADD path value`.
    #[must_use]
    pub fn add(mut self, path: impl Into<Path>, value: impl Into<AttributeValue>) -> Self {
        self.add.push((path.into(), value.into()));
        self
    }

    /// Adds `DELETE path value`.
    #[must_use]
    pub fn delete(mut self, path: impl Into<Path>, value: impl Into<AttributeValue>) -> Self {
        self.delete.push((path.into(), value.into()));
        self
    }

    /// Returns whether the update does nothing.
    pub fn is_empty(&self) -> bool {
        self.paths().next().is_none()
    }

    /// Returns whether the update has actions, all of which remove something. Such an update of a
    /// missing item does nothing; any other update creates the item.
    pub fn only_removes(&self) -> bool {
        self.set.is_empty() && self.add.is_empty() && !self.is_empty()
    }

    /// Returns the size of the values in the update, measured as in items.
    pub fn value_bytes(&self) -> usize {
        let set = self.set.iter().map(|(_, value)| value.value_bytes());
        let others = self.add.iter().chain(&self.delete).map(|(_, value)| value_size_bytes(value));
        set.chain(others).sum()
    }

    /// Returns every path that the update writes.
    pub fn paths(&self) -> impl Iterator<Item = &Path> + Clone {
        let set = self.set.iter().map(|(path, _)| path);
        let add = self.add.iter().map(|(path, _)| path);
        let delete = self.delete.iter().map(|(path, _)| path);
        set.chain(&self.remove).chain(add).chain(delete)
    }

    /// Visits every path that the update writes or reads.
    ///
    /// ```
    /// use monotable_expression::{SetOperand, Update, path};
    ///
    /// let update = Update::new().set("a", SetOperand::Path(path("b")).plus(1)).remove("c");
    /// let mut roots = Vec::new();
    /// update.for_each_path(&mut |path| roots.push(path.root.as_str()));
    /// assert_eq!(roots, ["a", "c", "b"]);
    /// ```
    pub fn for_each_path<'a>(&'a self, visit: &mut impl FnMut(&'a Path)) {
        self.paths().for_each(&mut *visit);
        for (_, value) in &self.set {
            match value {
                SetValue::Operand(operand) => operand.for_each_path(visit),
                SetValue::Plus(left, right) | SetValue::Minus(left, right) => {
                    left.for_each_path(visit);
                    right.for_each_path(visit);
                }
            }
        }
    }

    /// Returns only the written paths of `item`: for the item before the update this is the result of
    /// `UPDATED_OLD`, for the item after it the result of `UPDATED_NEW`.
    ///
    /// ```
    /// use monotable_expression::{Update, path};
    /// use monotable_types::{item, map};
    ///
    /// let update = Update::new().set(path("team").key("name"), "Reds").remove("draft");
    /// let item = item! { "PK" => "P#1", "team" => map! { "name" => "Reds", "city" => "Bern" } };
    /// assert_eq!(update.project_updated(&item), item! { "team" => map! { "name" => "Reds" } });
    /// ```
    pub fn project_updated(&self, item: &Item) -> Item {
        projection::project(self.paths(), item)
    }
}
