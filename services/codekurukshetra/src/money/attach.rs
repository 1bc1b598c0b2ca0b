//! `attachOrder`: the order of the gateway that a team pays. It may be repeated after a crash at any point: the order is
//! found again by its receipt, which is the id of the team.

use monotable::model::{create, edit};
use monotable_kit::{Problem, Refuse as _};

use crate::money::capture::price_of;
use crate::money::{Cashier, commit, unavailable};
use crate::refusal::Refusal;
use crate::table::{
    CodeKurukshetraReads as _, OrderId, OrderLookup, Payment, PaymentStatus, RegistrationStatus,
    Stamps, Team, TeamId,
};
use monotable_kit::payment_gateway::{GatewayError, NewOrder, Order, OrderStatus};

impl Cashier {
    /// Returns the open order of a team with its payment. An order that the gateway no longer accepts is replaced.
    ///
    /// # Errors
    /// Returns 404 without the team, or 409 if it can't pay, or 503 if the gateway does not
    /// respond.
    pub(crate) async fn open_order(&self, team_id: &TeamId) -> Result<(Team, Payment), Problem> {
        let (team, payment) = self.payable(team_id).await?;
        if let Some(order_id) = &payment.razorpay_order_id
            && self.is_usable(order_id).await?
        {
            return Ok((team, payment));
        }
        let order = self.order_for(&team, &payment).await?;
        if payment.razorpay_order_id.as_ref() == Some(&order.order_id) {
            return Ok((team, payment));
        }
        self.attach(&team, &payment, &order).await
    }

    /// Returns a team that can pay now, with its payment.
    async fn payable(&self, team_id: &TeamId) -> Result<(Team, Payment), Problem> {
        let team = self.db.team(team_id).await?.ok_or(Refusal::NotFound)?;
        match team.registration() {
            RegistrationStatus::PendingPayment => {}
            RegistrationStatus::Confirmed => return Err(Refusal::AlreadyPaid.into()),
            RegistrationStatus::Expired => return Err(Refusal::HoldExpired.into()),
            RegistrationStatus::Cancelled
            | RegistrationStatus::Refunded
            | RegistrationStatus::Waitlisted => return Err(Refusal::InvalidState.into()),
        }
        if team.held_until().is_some_and(|until| until <= self.db.now()) {
            return Err(Refusal::HoldExpired.into());
        }
        let payment = self.payment_of(&team).await?.ok_or(Refusal::InvalidState)?;
        if payment.status >= PaymentStatus::Paid {
            return Err(Refusal::AlreadyPaid.into());
        }
        Ok((team, payment))
    }

    /// Returns the payment of a team. Teams of older programs do not name it.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn payment_of(&self, team: &Team) -> Result<Option<Payment>, Problem> {
        match &team.payment_uuid {
            Some(payment_id) => Ok(self.db.payment(payment_id).await?),
            None => {
                let payments = self.db.payments_of(&team.team_id).all().await?;
                Ok(payments.into_iter().find(|payment| payment.needs_refund.is_none()))
            }
        }
    }

    /// Returns whether the gateway still accepts payments of an order.
    async fn is_usable(&self, order_id: &OrderId) -> Result<bool, Problem> {
        match self.gateway.order(order_id).await {
            Ok(state) if state.order.status == OrderStatus::Paid => Err(being_confirmed()),
            Ok(_) => Ok(true),
            Err(GatewayError::Refused(_)) => Ok(false),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Returns an order for a team: its own if the gateway lists it, one that was created before a crash, or a new one.
    async fn order_for(&self, team: &Team, payment: &Payment) -> Result<Order, Problem> {
        let price = price_of(payment);
        let receipt = team.team_id.to_string();
        let known = self.gateway.orders_of_receipt(&receipt).await.map_err(unavailable)?;
        let is_own = |order: &Order| payment.razorpay_order_id.as_ref() == Some(&order.order_id);
        // That one call was refused does not end an order: anyone on its page can still pay it.
        if let Some(order) = known.iter().find(|order| is_own(order)) {
            let is_paid = order.status == OrderStatus::Paid;
            return if is_paid { Err(being_confirmed()) } else { Ok(order.clone()) };
        }
        let is_open = |order: &Order| order.status != OrderStatus::Paid && order.price == price;
        match known.into_iter().find(is_open) {
            Some(order) => Ok(order),
            None => {
                let price = price.clone();
                let order = NewOrder { price, receipt };
                self.gateway.create_order(&order).await.map_err(unavailable)
            }
        }
    }

    /// Records the order of a team.
    async fn attach(
        &self,
        team: &Team,
        payment: &Payment,
        order: &Order,
    ) -> Result<(Team, Payment), Problem> {
        let mut tx = self.db.transact();
        let order_id = &order.order_id;
        let team = tx.add(edit(team, |team| team.payment_order_id = Some(order_id.clone())));
        let attached =
            tx.add(edit(payment, |payment| payment.razorpay_order_id = Some(order_id.clone())));
        tx.add(create(OrderLookup {
            order_id: order_id.clone(),
            payment_id: payment.payment_id.clone(),
            team_id: payment.team_id.clone(),
            stamps: Stamps::default(),
        }));
        let done = commit(tx).await?;
        Ok((done[team].clone(), done[attached].clone()))
    }
}

/// Returns the refusal of a payment that the gateway has already, and the service is about to learn
/// of.
fn being_confirmed() -> Problem {
    Refusal::AlreadyPaid.text("The payment was made, and is being confirmed.")
}
