//! At most one: a row that one owner holds at a time.

use monotable_expression::path;
use monotable_types::Item;

use super::key::RowKey;
use super::layout::Layout;
use super::place::{Place, insert_expiry};
use super::run::Run;
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::time::EpochSeconds;
use crate::write::{self, Failure, Operation, Plan, PlannedWrite};

/// A row that at most one owner holds: the active game of a team, the team of a user.
///
/// ```
/// use monotable_model::rows::Guard;
///
/// let active = Guard::new("TEAM#t1", "ACTIVE_GAME");
/// let hold = active.hold("game-7"); // db.run(hold).await?, or db.transact().create(&game).add(hold)
/// let release = active.release("game-7");
/// let holder = active.holder(); // db.run(holder).await? is Some("game-7")
/// ```
#[derive(Clone, Debug)]
pub struct Guard {
    place: Place,
}

impl Guard {
    /// The guard under this partition and sort key.
    pub fn new(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        Self::at(RowKey::new(partition, sort))
    }

    /// The guard under this key.
    pub fn at(key: RowKey) -> Self {
        Self { place: Place::new("guard", key) }
    }

    /// Names the row's attributes.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.place.layout = layout;
        self
    }

    /// Takes the guard if nobody holds it; [`Error::Held`] tells who does.
    pub fn hold(&self, owner: impl Into<String>) -> Hold {
        Hold { place: self.place.clone(), owner: owner.into(), expires: None }
    }

    /// Gives the guard up. It is [`Error::Held`] if somebody else holds it, and [`Error::NotHeld`] if
    /// nobody does, also because it has expired: whoever gives up a reservation must know that it was
    /// still there.
    pub fn release(&self, owner: impl Into<String>) -> Release {
        Release { place: self.place.clone(), owner: owner.into() }
    }

    /// Who holds the guard.
    pub fn holder(&self) -> Holder {
        Holder { place: self.place.clone() }
    }
}

/// Takes a guard. Made by [`Guard::hold`].
#[derive(Clone, Debug)]
pub struct Hold {
    place: Place,
    owner: String,
    expires: Option<EpochSeconds>,
}

impl Hold {
    /// Lets the guard go by itself at this time.
    #[must_use]
    pub fn expires(mut self, at: EpochSeconds) -> Self {
        self.expires = Some(at);
        self
    }

    fn planned(self, context: &Context) -> Result<PlannedWrite> {
        let mut row = self.place.row(context)?;
        row.insert(self.place.layout.value.to_owned(), self.owner.into());
        insert_expiry(&mut row, self.place.expiry(context), self.expires);
        let condition = self.place.absent(context);
        Ok(self.place.write(context, Action::Put(row), condition, held(&self.place)))
    }
}

impl Operation for Hold {
    fn label(&self) -> String {
        format!("hold {}", self.place.name())
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.clone().planned(context)?]))
    }
}

impl Run for Hold {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        write::single(context, vec![self.planned(context)?]).await.map(drop)
    }
}

/// Gives a guard up. Made by [`Guard::release`].
#[derive(Clone, Debug)]
pub struct Release {
    place: Place,
    owner: String,
}

impl Release {
    fn planned(self, context: &Context) -> Result<PlannedWrite> {
        let condition =
            self.place.present(context).and(path(self.place.layout.value).eq(self.owner));
        let action = Action::Delete(self.place.key_item(context)?);
        let (expired, held) = (self.place.expired(context), held(&self.place));
        let guard = self.place.key.to_string();
        let failure = Box::new(move |row: Option<Box<Item>>| match row {
            Some(row) if !expired.evaluate(&*row) => held(Some(row)),
            _ => Error::NotHeld { guard },
        });
        Ok(self.place.write(context, action, condition, failure))
    }
}

impl Operation for Release {
    fn label(&self) -> String {
        format!("release {}", self.place.name())
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.clone().planned(context)?]))
    }
}

impl Run for Release {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        write::single(context, vec![self.planned(context)?]).await.map(drop)
    }
}

/// Asks who holds a guard. Made by [`Guard::holder`].
#[derive(Clone, Debug)]
pub struct Holder {
    place: Place,
}

impl Run for Holder {
    type Output = Option<String>;

    async fn run(self, context: &Context) -> Result<Option<String>> {
        let row = self.place.read(context).await?;
        row.map(|row| self.place.text(&row, self.place.layout.value)).transpose()
    }
}

/// The failure of a guard that somebody holds.
fn held(place: &Place) -> Failure {
    let (guard, value) = (place.key.to_string(), place.layout.value);
    Box::new(move |row| {
        let holder = row.as_ref().and_then(|row| row.get(value)?.as_s());
        Error::Held { guard, holder: holder.map(str::to_owned) }
    })
}
