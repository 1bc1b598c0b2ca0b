//! A contender in another process: both ends of the conversation.
//!
//! The peer is started as `BINARY serve MODE ITEMS DIRECTORY`, loads, prints `ready NAME`, and then
//! responds to each line `WORKLOAD CALLERS SECONDS SEED` with a line of JSON until its input ends.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::{Contender, Mode, Result, Slice, Slicing};

/// The driving end.
pub struct Peer {
    name: String,
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts a peer and waits until it has loaded its table.
    pub fn spawn(binary: &Path, mode: Mode, items: u64, directory: &Path) -> Result<Self> {
        let mut process = Command::new(binary)
            .args(["serve", &mode.to_string(), &items.to_string()])
            .arg(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} can't be started: {error}", binary.display()))?;
        let orders = process.stdin.take();
        let answers = process.stdout.take().ok_or("the peer has no output")?;
        let mut peer =
            Self { name: String::new(), process, orders, answers: BufReader::new(answers) };
        let greeting = peer.answer()?;
        let name =
            greeting.strip_prefix("ready ").ok_or("the peer did not print that it is ready")?;
        peer.name = name.trim().to_owned();
        Ok(peer)
    }

    fn answer(&mut self) -> Result<String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line)? {
            0 => Err("the peer stopped; its last words are above".into()),
            _ => Ok(line),
        }
    }
}

impl Contender for Peer {
    fn name(&self) -> &str {
        &self.name
    }

    fn slice(&mut self, slicing: Slicing) -> Result<Slice> {
        let Slicing { workload, callers, duration, seed } = slicing;
        let orders = self.orders.as_mut().ok_or("the peer has no input")?;
        writeln!(orders, "{} {callers} {} {seed}", workload.name(), duration.as_secs_f64())?;
        Ok(serde_json::from_str(&self.answer()?)?)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The end of its input is what ends the peer.
        drop(self.orders.take());
        let _ = self.process.wait();
    }
}

/// Runs the peer's side: processes commands until there are no more.
pub fn serve(contender: &mut dyn Contender) -> Result<()> {
    println!("ready {}", contender.name());
    for line in std::io::stdin().lines() {
        let slice = contender.slice(order(&line?)?)?;
        println!("{}", serde_json::to_string(&slice)?);
    }
    Ok(())
}

fn order(line: &str) -> Result<Slicing> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [workload, callers, seconds, seed] = words[..] else {
        return Err(format!("'{line}' is not a command").into());
    };
    Ok(Slicing {
        workload: workload.parse()?,
        callers: callers.parse()?,
        duration: Duration::try_from_secs_f64(seconds.parse()?)?,
        seed: seed.parse()?,
    })
}
