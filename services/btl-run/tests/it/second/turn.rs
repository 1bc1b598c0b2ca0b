//! One turn of six players, on plain numbers.

use monotable_btl_run::state::Stats;

use super::stream::Stream;

const FIND_POWERS: [u8; 12] = [1, 1, 1, 1, 2, 2, 2, 3, 0, 0, 0, 0];
const WORK_POWERS: [u8; 4] = [2, 2, 3, 3];

pub(crate) struct Fighter {
    pub(crate) stats: Stats,
    pub(crate) hp: i64,
    /// Power and durability.
    pub(crate) items: Vec<(u8, u8)>,
    pub(crate) team: Option<usize>,
}

pub(crate) struct Turn {
    stream: Stream,
    day: u32,
    turn: u32,
    max_days: u32,
    pub(crate) fighters: Vec<Fighter>,
    /// Kind of action and target of everybody.
    pub(crate) choices: [(usize, Option<usize>); 6],
    start_hp: Vec<i64>,
    teams: usize,
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

    fn living(&self) -> Vec<usize> {
        (0..6).filter(|at| self.fighters[*at].hp > 0 && !self.fallen.contains(at)).collect()
    }

    pub(crate) fn are_allies(&self, a: usize, b: usize) -> bool {
        self.fighters[a].team.is_some() && self.fighters[a].team == self.fighters[b].team
    }

    fn team_size(&self, team: Option<usize>) -> usize {
        self.fighters.iter().filter(|one| team.is_some() && one.team == team).count()
    }

    fn fall(&mut self, at: usize) {
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

    fn act(&mut self, at: usize) {
        let stats = self.fighters[at].stats;
        match self.choices[at].0 {
            0 => {
                if self.stream.die(20) + i64::from(stats.wits) >= 14 {
                    self.find(at);
                }
            }
            1 => {}
            2 => self.befriend(at),
            3 => self.attack(at),
            4 => self.craft(at),
            5 => {
                let luck = self.stream.die(20) + i64::from(stats.wits);
                if luck >= 12 {
                    match self.stream.below(2) {
                        0 => self.find(at),
                        _ => self.heal(at, 1),
                    }
                } else if luck <= 4 {
                    self.fighters[at].hp = (self.fighters[at].hp - 2).max(0);
                    self.fall(at);
                }
            }
            _ => self.heal(at, 2 + i64::from(stats.vitality) / 4),
        }
    }

    fn heal(&mut self, at: usize, points: i64) {
        let one = &mut self.fighters[at];
        one.hp = (one.hp + points).min(10 + i64::from(one.stats.vitality));
    }

    fn find(&mut self, at: usize) {
        if self.fighters[at].items.len() < 4 {
            let power = FIND_POWERS[self.stream.below(12)];
            let durability = self.stream.die(3) as u8;
            self.fighters[at].items.push((power, durability));
        }
    }

    fn craft(&mut self, at: usize) {
        if self.fighters[at].items.len() < 2 {
            return;
        }
        for _ in 0..2 {
            let items = &mut self.fighters[at].items;
            let weakest = (0..items.len()).min_by_key(|slot| (items[*slot], *slot)).unwrap();
            items.remove(weakest);
        }
        let power = WORK_POWERS[self.stream.below(4)];
        self.fighters[at].items.push((power, 3));
    }

    fn strangers(&self, at: usize) -> Vec<usize> {
        let is_stranger = |other: &usize| *other != at && !self.are_allies(at, *other);
        self.living().into_iter().filter(is_stranger).collect()
    }

    fn befriend(&mut self, at: usize) {
        let strangers = self.strangers(at);
        let wanted = self.choices[at].1.filter(|target| strangers.contains(target));
        let target = wanted.or_else(|| match strangers.len() {
            0 => None,
            count => Some(strangers[self.stream.below(count as u64)]),
        });
        let roll = self.stream.die(20);
        let Some(target) = target else { return };
        // Six players make teams of two at most, so only those without a team can make one.
        let is_free = self.fighters[at].team.is_none() && self.fighters[target].team.is_none();
        if roll + i64::from(self.fighters[at].stats.charm) >= 13 && is_free {
            self.teams += 1;
            self.fighters[at].team = Some(self.teams);
            self.fighters[target].team = Some(self.teams);
        }
    }

    fn attack(&mut self, at: usize) {
        let strangers = self.strangers(at);
        let others: Vec<usize> = self.living().into_iter().filter(|one| *one != at).collect();
        let choice = self.choices[at].1.filter(|target| others.contains(target));
        let pool = if strangers.is_empty() { &others } else { &strangers };
        let target = choice.unwrap_or_else(|| pool[self.stream.below(pool.len() as u64)]);
        if self.are_allies(at, target) {
            let team = self.fighters[at].team;
            self.fighters.iter_mut().filter(|one| one.team == team).for_each(|one| one.team = None);
        }
        let items = &self.fighters[at].items;
        let armed = (0..items.len()).filter(|slot| items[*slot].0 > 0);
        let weapon = armed.min_by_key(|slot| (u8::MAX - items[*slot].0, *slot));
        let power = weapon.map_or(0, |slot| i64::from(items[slot].0));
        let combat = i64::from(self.fighters[at].stats.combat);
        let cover = if self.choices[target].0 == 1 { 4 } else { 0 };
        let attack = self.stream.die(20) + combat + power;
        let defence = self.stream.die(20) + i64::from(self.fighters[target].stats.stealth) + cover;
        if let Some(slot) = weapon {
            self.fighters[at].items[slot].1 -= 1;
            self.fighters[at].items.retain(|item| item.1 > 0);
        }
        let (hurt, harm) = match attack - defence {
            1.. => (target, self.stream.die(6) + combat / 3),
            ..=-8 => (at, self.stream.die(6)),
            _ => return,
        };
        self.fighters[hurt].hp = (self.fighters[hurt].hp - harm).max(0);
        self.fall(hurt);
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
