//! One viewer: sends it the latest data and receives its commands.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::TrySendError;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use tokio::sync::{mpsc, watch};
use tokio::time::{interval, timeout};

use super::channels::{Answer, ByFilter, Order, Shared};
use super::command::{Command, Refused};
use super::error::ViewError;
use super::filters::Filters;

/// Length of the queue of refusals to a viewer.
const WAITING_REFUSALS: usize = 16;
/// Messages in a row that make no sense before the connection is closed.
const MAX_NONSENSE: u32 = 20;
/// Period of pings.
const PING: Duration = Duration::from_secs(10);

/// One of the limited number of connections, released when dropped, and the filter of its viewer.
pub(super) struct Seat {
    number: u64,
    taken: Arc<AtomicUsize>,
    filters: Arc<Filters>,
}

impl Seat {
    /// A seat, if one is free.
    pub fn take(shared: &Shared) -> Option<Self> {
        let most = shared.options.max_viewers;
        let more = |count| (count < most).then_some(count + 1);
        shared.viewers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        let number = shared.next_viewer.fetch_add(1, Ordering::Relaxed);
        shared.filters.join(number);
        let (taken, filters) = (Arc::clone(&shared.viewers), Arc::clone(&shared.filters));
        Some(Self { number, taken, filters })
    }

    /// The message for this viewer; none until there is one for its filter.
    fn own(&self, all: &ByFilter) -> Utf8Bytes {
        let own = self.filters.of(self.number).and_then(|filter| all.get(&filter).cloned());
        own.unwrap_or_default()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.filters.leave(self.number);
        self.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Next event on a connection.
enum Next {
    Send(Utf8Bytes),
    Received(Message),
    Ping,
    Gone,
}

/// Serves one viewer until it leaves or stalls.
pub(super) async fn attend(mut socket: WebSocket, shared: Shared, seat: Seat) {
    let number = seat.number;
    let outputs = &shared.outputs;
    let mut picture = subscribe(&outputs.picture);
    let mut frame = subscribe(&outputs.frame);
    let mut curve = subscribe(&outputs.curve);
    let mut fit = subscribe(&outputs.fit);
    let mut plan = subscribe(&outputs.plan);
    let mut simulation = subscribe(&outputs.simulation);
    let mut cloth = subscribe(&outputs.cloth);
    let mut sketch = subscribe(&outputs.sketch);
    let mut game = subscribe(&outputs.game);
    let (refusals, mut refused) = mpsc::channel(WAITING_REFUSALS);
    let mut ping = interval(PING);
    let (mut nonsense, mut awaited_pongs) = (0, 0);
    loop {
        let next = tokio::select! {
            biased;
            Ok(()) = picture.changed() => Next::Send(picture.borrow_and_update().clone()),
            Some(text) = refused.recv() => Next::Send(text),
            Ok(()) = fit.changed() => Next::Send(fit.borrow_and_update().clone()),
            Ok(()) = plan.changed() => Next::Send(plan.borrow_and_update().clone()),
            Ok(()) = simulation.changed() => Next::Send(simulation.borrow_and_update().clone()),
            Ok(()) = sketch.changed() => Next::Send(sketch.borrow_and_update().clone()),
            message = socket.recv() => match message {
                Some(Ok(message)) => Next::Received(message),
                _ => Next::Gone,
            },
            Ok(()) = curve.changed() => Next::Send(seat.own(&curve.borrow_and_update())),
            Ok(()) = game.changed() => Next::Send(game.borrow_and_update().clone()),
            Ok(()) = frame.changed() => Next::Send(seat.own(&frame.borrow_and_update())),
            Ok(()) = cloth.changed() => Next::Send(cloth.borrow_and_update().clone()),
            _ = ping.tick() => Next::Ping,
        };
        let message = match next {
            Next::Send(text) if text.is_empty() => continue,
            Next::Send(text) => Message::Text(text),
            Next::Ping if awaited_pongs > 2 => return,
            Next::Ping => {
                awaited_pongs += 1;
                Message::Ping(Bytes::new())
            }
            Next::Gone | Next::Received(Message::Close(_)) => return,
            Next::Received(Message::Ping(_)) => continue,
            Next::Received(Message::Pong(_)) => {
                awaited_pongs = 0;
                continue;
            }
            Next::Received(Message::Text(text)) => match order(&shared, number, &text, &refusals) {
                Ok(()) => {
                    nonsense = 0;
                    continue;
                }
                Err(error) => {
                    nonsense += 1;
                    Message::Text(Refused::text(&error).into())
                }
            },
            Next::Received(Message::Binary(_)) => {
                nonsense += 1;
                let error = ViewError::BadMessage("it is binary".into());
                Message::Text(Refused::text(&error).into())
            }
        };
        let message = if nonsense < MAX_NONSENSE { message } else { farewell() };
        match timeout(shared.options.stall_time, socket.send(message)).await {
            Ok(Ok(())) if nonsense < MAX_NONSENSE => {}
            Ok(_) => return,
            Err(_) => {
                tracing::info!("viewer {number} takes nothing any more and is dropped");
                return;
            }
        }
    }
}

/// A receiver that starts with the current value.
fn subscribe<T>(sender: &watch::Sender<T>) -> watch::Receiver<T> {
    let mut receiver = sender.subscribe();
    receiver.mark_changed();
    receiver
}

fn farewell() -> Message {
    let reason = "too many messages that make no sense".into();
    Message::Close(Some(CloseFrame { code: close_code::POLICY, reason }))
}

fn order(
    shared: &Shared,
    viewer: u64,
    text: &str,
    refusals: &mpsc::Sender<Utf8Bytes>,
) -> Result<(), ViewError> {
    let command = Command::parse(text)?;
    let order = Order { viewer, command, answer: Answer::Refusals(refusals.clone()) };
    match shared.orders.try_send(order) {
        Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
        Err(TrySendError::Full(order)) => {
            let error = ViewError::TooMany { what: "commands waiting", count: 256, max: 256 };
            // Too many commands are refused, but do not count as bad messages.
            order.answer.give(Err(error));
            Ok(())
        }
    }
}
