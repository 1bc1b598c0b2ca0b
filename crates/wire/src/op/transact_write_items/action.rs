//! One action of a TransactWriteItems: a put, an update, a delete or a check.

use monotable_engine::{
    ConditionCheck, DeleteItem, Expression, PutItem, ReturnOnConditionFailure, TransactWrite,
    UpdateItem,
};
use monotable_types::Constraints;

use super::super::transaction::check_table_name;
use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::Reader;
use crate::layer::Layer;
use crate::parameters::return_on_condition_failure;
use crate::placeholders::Placeholders;
use crate::touch::Touch;
use crate::value::{Attributes, NESTED_TOO_DEEP};

/// The kind of an action.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Put,
    Update,
    Delete,
    ConditionCheck,
}

impl Kind {
    fn of_member(name: &str) -> Option<Self> {
        Some(match name {
            "Put" => Self::Put,
            "Update" => Self::Update,
            "Delete" => Self::Delete,
            "ConditionCheck" => Self::ConditionCheck,
            _ => return None,
        })
    }

    /// Returns the name of the action in AWS's paths.
    fn path(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::ConditionCheck => "conditionCheck",
        }
    }

    /// Returns the name of the action in AWS's policies.
    fn permission(self) -> &'static str {
        match self {
            Self::Put => "PutItem",
            Self::Update => "UpdateItem",
            Self::Delete => "DeleteItem",
            Self::ConditionCheck => "ConditionCheckItem",
        }
    }
}

/// An action, as sent in the request.
pub(super) struct Action {
    kind: Kind,
    table_name: Option<String>,
    /// The item of a put, the key of the others.
    attributes: Option<Attributes>,
    update_expression: Option<String>,
    condition_expression: Option<String>,
    placeholders: Placeholders,
    return_on_condition_failure: Option<String>,
}

/// An element of the list, which must contain exactly one action.
#[derive(Default)]
pub(super) struct Element {
    action: Option<Action>,
    has_several: bool,
}

impl Element {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let mut element = Self::default();
        reader.structure("TransactWriteItem", Holder::Collection, |reader, name| {
            let Some(kind) = Kind::of_member(name) else {
                return reader.ignore();
            };
            if let Some(action) = Action::read(reader, kind, name)? {
                element.has_several |= element.action.is_some();
                element.action = Some(action);
            }
            Ok(())
        })?;
        Ok(element)
    }

    pub(super) fn touch(&self) -> Option<Touch<'_>> {
        let action = self.action.as_ref()?;
        Some(Touch::table(action.kind.permission(), action.table_name.as_deref()))
    }

    /// Notes values that are not among the allowed ones.
    pub(super) fn check_words(&self, constraints: &mut Constraints, position: usize) {
        if let Some(action) = &self.action
            && let Some(word) = &action.return_on_condition_failure
        {
            let path = format!(
                "transactItems.{position}.member.{}.returnValuesOnConditionCheckFailure",
                action.kind.path()
            );
            return_on_condition_failure(constraints, &path, Some(word));
        }
    }

    pub(super) fn check_is_one_action(&self) -> Result<()> {
        if self.action.is_none() {
            return Err(Failure::validation(
                "Invalid Request: TransactWriteRequest should contain Delete or Put or Update \
                 request",
            ));
        }
        if self.has_several {
            return Err(Failure::validation(
                "TransactItems can only contain one of Check, Put, Update or Delete",
            ));
        }
        Ok(())
    }

    /// Notes required members that are missing.
    pub(super) fn check_members(&self, constraints: &mut Constraints, position: usize) {
        let Some(action) = &self.action else {
            return;
        };
        let path = format_args!("transactItems.{position}.member.{}", action.kind.path());
        check_table_name(constraints, path, action.table_name.as_deref());
        if action.attributes.is_none() {
            let member = if action.kind == Kind::Put { "item" } else { "key" };
            constraints.null(&format!("{path}.{member}"));
        }
        match action.kind {
            Kind::Update if action.update_expression.is_none() => {
                constraints.null(&format!("{path}.updateExpression"));
            }
            Kind::ConditionCheck if action.condition_expression.is_none() => {
                constraints.null(&format!("{path}.conditionExpression"));
            }
            Kind::Put | Kind::Update | Kind::Delete | Kind::ConditionCheck => {}
        }
    }

    pub(super) fn into_action(self) -> Option<Action> {
        self.action
    }
}

impl Action {
    fn read(reader: &mut Reader<'_>, kind: Kind, class: &str) -> Result<Option<Self>> {
        let mut action = Self {
            kind,
            table_name: None,
            attributes: None,
            update_expression: None,
            condition_expression: None,
            placeholders: Placeholders::default(),
            return_on_condition_failure: None,
        };
        let found = reader.structure(class, Holder::Member, |reader, name| {
            match name {
                "TableName" => action.table_name = reader.text()?,
                "Item" if kind == Kind::Put => action.attributes = Attributes::read(reader)?,
                "Key" if kind != Kind::Put => action.attributes = Attributes::read(reader)?,
                "UpdateExpression" if kind == Kind::Update => {
                    action.update_expression = reader.text()?;
                }
                "ConditionExpression" => action.condition_expression = reader.text()?,
                "ReturnValuesOnConditionCheckFailure" => {
                    action.return_on_condition_failure = reader.text()?;
                }
                _ if action.placeholders.member(name, reader)? => {}
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(action))
    }

    /// Returns the action in the engine's form.
    pub(super) fn checked(mut self) -> Result<TransactWrite> {
        let too_deep = self.take_too_deep();
        let action = self.into_write()?;
        match too_deep {
            None => Ok(action),
            Some(failure) => {
                action.check_action()?;
                Err(failure)
            }
        }
    }

    /// Removes values that are nested so deeply that AWS reports them after all other errors, and
    /// returns the error.
    fn take_too_deep(&mut self) -> Option<Failure> {
        let in_placeholders = self.placeholders.take_too_deep();
        match self.attributes.as_mut().and_then(Attributes::take_too_deep) {
            Some(_) => Some(Failure::validation(NESTED_TOO_DEEP)),
            None => in_placeholders,
        }
    }

    fn into_write(mut self) -> Result<TransactWrite> {
        let attributes = self.attributes.unwrap_or_default().checked(Layer::Older)?;
        self.placeholders.allow_for_transaction();
        let mut substitutions = self.placeholders.checked(Layer::Older)?;
        let table_name = self.table_name.unwrap_or_default();
        let condition = self.condition_expression.map(Expression::Text);
        let return_on_condition_failure = match self.return_on_condition_failure.as_deref() {
            Some("ALL_OLD") => ReturnOnConditionFailure::AllOld,
            _ => ReturnOnConditionFailure::None,
        };
        if self.kind == Kind::Put && condition.is_none() {
            // Most regions of AWS ignore the values of a put that does not use them.
            substitutions.values = None;
        }
        Ok(match self.kind {
            Kind::Put => TransactWrite::Put(PutItem {
                table_name,
                item: attributes,
                condition,
                substitutions,
                return_on_condition_failure,
                ..PutItem::default()
            }),
            Kind::Update => TransactWrite::Update(UpdateItem {
                table_name,
                key: attributes,
                update: self.update_expression.map(Expression::Text),
                condition,
                substitutions,
                return_on_condition_failure,
                ..UpdateItem::default()
            }),
            Kind::Delete => TransactWrite::Delete(DeleteItem {
                table_name,
                key: attributes,
                condition,
                substitutions,
                return_on_condition_failure,
                ..DeleteItem::default()
            }),
            Kind::ConditionCheck => TransactWrite::ConditionCheck(ConditionCheck {
                table_name,
                key: attributes,
                condition,
                substitutions,
                return_on_condition_failure,
            }),
        })
    }
}
