//! Many clients at once on one server, until it is killed or enough has been answered.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use crate::client::Client;
use crate::process::Server;

/// What happens when enough has been answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Clients finish their requests.
    Stop,
    /// The server is killed while requests are under way.
    Kill,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Answer,
    Nothing,
}

/// Gives each player a connection and a thread, and lets it ask again and again until there have
/// been so many answers. The server is returned unless it was killed.
pub(crate) fn play<P: Send>(
    server: Server,
    players: &mut [P],
    answers: u64,
    end: End,
    ask: impl Fn(&mut P, &mut Client) -> Heard + Sync,
) -> Option<Server> {
    let is_over = AtomicBool::new(false);
    let (tell, told) = channel();
    std::thread::scope(|scope| {
        for player in players {
            let (mut client, tell) = (server.client(), tell.clone());
            let (is_over, ask) = (&is_over, &ask);
            scope.spawn(move || {
                while end == End::Kill || !is_over.load(Ordering::SeqCst) {
                    if ask(player, &mut client) == Heard::Nothing {
                        let is_killed = end == End::Kill && is_over.load(Ordering::SeqCst);
                        assert!(is_killed, "a living server does not answer");
                        return;
                    }
                    // Nobody counts any more when it is over.
                    let _ = tell.send(());
                }
            });
        }
        drop(tell);
        let heard = told.iter().take(usize::try_from(answers).unwrap()).count() as u64;
        is_over.store(true, Ordering::SeqCst);
        assert_eq!(heard, answers, "all clients gave up before the end");
        match end {
            End::Stop => Some(server),
            End::Kill => {
                server.kill();
                None
            }
        }
    })
}
