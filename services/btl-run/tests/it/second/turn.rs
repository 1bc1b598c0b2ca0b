//! One turn of six players, on plain numbers.

use monotable_btl_run::rules::state::Stats;

use super::stream::Stream;

pub(crate) struct Fighter {
    pub(crate) stats: Stats,
    pub(crate) hp: i64,
    /// Power and durability.
    pub(crate) items: Vec<(u8, u8)>,
    pub(crate) team: Option<usize>,
}

pub(crate) struct Turn {
    pub(super) stream: Stream,
    day: u32,
    turn: u32,
    max_days: u32,
    pub(crate) fighters: Vec<Fighter>,
    /// Kind of action and target of everybody.
    pub(crate) choices: [(usize, Option<usize>); 6],
    start_hp: Vec<i64>,
    pub(super) teams: usize,
    /// Who died in this turn, in order.
    pub(crate) fallen: Vec<usize>,
    order: Vec<usize>,
    /// Who takes the first places, once the match is over.
    pub(crate) best: Option<Vec<usize>>,
}

impl Turn {
    pub(crate) fn new(
        seed: [u8; 32],
        day: u32,
        turn: u32,
        max_days: u32,
        fighters: Vec<Fighter>,
    ) -> Self {
        let start_hp: Vec<i64> = fighters.iter().map(|one| one.hp).collect();
        let stream = Stream::new(seed, "match-1", day, turn);
        Self {
            stream,
            day,
            turn,
            max_days,
            fighters,
            choices: [(6, None); 6],
            start_hp,
            teams: 100,
            fallen: Vec::new(),
            order: Vec::new(),
            best: None,
        }
    }

    pub(super) fn living(&self) -> Vec<usize> {
        (0..6).filter(|at| self.fighters[*at].hp > 0 && !self.fallen.contains(at)).collect()
    }

    pub(crate) fn are_allies(&self, a: usize, b: usize) -> bool {
        self.fighters[a].team.is_some() && self.fighters[a].team == self.fighters[b].team
    }

    fn team_size(&self, team: Option<usize>) -> usize {
        self.fighters.iter().filter(|one| team.is_some() && one.team == team).count()
    }

    pub(super) fn fall(&mut self, at: usize) {
        if self.fighters[at].hp > 0 || self.fallen.contains(&at) {
            return;
        }
        self.fighters[at].hp = 0;
        self.fallen.push(at);
        let team = self.fighters[at].team.take();
        if self.team_size(team) == 1 {
            self.fighters.iter_mut().filter(|one| one.team == team).for_each(|one| one.team = None);
        }
    }

    /// Plays the turn and gives the order of acting.
    pub(crate) fn play(&mut self) -> Vec<usize> {
        let mut order = self.living();
        if self.day == self.max_days {
            for (kind, target) in &mut self.choices {
                if *kind != 3 {
                    (*kind, *target) = (3, None);
                }
            }
        }
        let calm = (self.max_days * 6).div_ceil(10);
        let hazard = i64::from(self.day) - i64::from(calm);
        for at in order.clone() {
            if hazard > 0 && self.stream.die(6) <= hazard {
                let harm = if self.choices[at].0 == 1 { hazard / 2 } else { hazard };
                self.fighters[at].hp = (self.fighters[at].hp - harm).max(0);
            }
        }
        for last in (1..order.len()).rev() {
            let other = self.stream.below(last as u64 + 1);
            order.swap(last, other);
        }
        order.iter().for_each(|at| self.fall(*at));
        for at in order.clone() {
            if self.living().len() > 1 && self.living().contains(&at) {
                self.act(at);
            }
        }
        if self.turn == 3 && self.day >= 2 && self.living().len() > 1 {
            for at in order.clone() {
                if self.living().contains(&at) && self.stream.below(10_000) < 5 {
                    self.fighters[at].hp = 0;
                    self.fall(at);
                }
            }
        }
        self.order = order.clone();
        self.end();
        order
    }

    /// Finds the best places first, if the match is over.
    fn end(&mut self) {
        let living = self.living();
        let best = match living.len() {
            0 => {
                let most = *self.start_hp.iter().max().unwrap();
                let strongest: Vec<_> = (0..6).filter(|at| self.start_hp[*at] == most).collect();
                vec![strongest[self.stream.below(strongest.len() as u64)]]
            }
            1 => living,
            _ if self.day == self.max_days && self.turn == 3 => {
                let mut scores = Vec::new();
                for at in living {
                    let one = &self.fighters[at];
                    let skill = i64::from(one.stats.combat) + i64::from(one.stats.wits);
                    let score = one.hp * 10 + skill + self.stream.die(20);
                    let turn = self.order.iter().position(|other| *other == at);
                    scores.push((-score, turn, at));
                }
                scores.sort_unstable();
                scores.into_iter().map(|(_, _, at)| at).collect()
            }
            _ => return,
        };
        self.best = Some(best);
    }
}
