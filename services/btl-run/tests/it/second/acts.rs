//! What each of the six does.

use super::turn::Turn;

const FIND_POWERS: [u8; 12] = [1, 1, 1, 1, 2, 2, 2, 3, 0, 0, 0, 0];
const WORK_POWERS: [u8; 4] = [2, 2, 3, 3];

impl Turn {
    pub(super) fn act(&mut self, at: usize) {
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
}
