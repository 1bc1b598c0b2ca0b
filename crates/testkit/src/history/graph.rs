//! A graph of precedence, and the shortest cycle in it.

use std::collections::VecDeque;

/// The number of events in a cycle from which on a shorter one is searched for.
const STARTS_MAX: usize = 64;

/// Nodes by number, edges with labels.
///
/// Nodes from `events` on are passages: times that only link events, so that a relation between all
/// of them needs few edges. They do not count in the length of a cycle.
pub struct Graph<L> {
    events: usize,
    successors: Vec<Vec<(usize, L)>>,
}

impl<L: Copy> Graph<L> {
    /// Creates a graph without edges.
    pub fn new(events: usize, passages: usize) -> Self {
        let successors = (0..events + passages).map(|_| Vec::new()).collect();
        Self { events, successors }
    }

    /// Adds that `from` precedes `to`. An event that precedes itself is ignored.
    pub fn add(&mut self, from: usize, to: usize, label: L) {
        if from != to {
            self.successors[from].push((to, label));
        }
    }

    /// Returns a cycle with as few events as possible, as events with the label of the edge to the
    /// next one; the last one's leads to the first.
    pub fn cycle(&self) -> Option<Vec<(usize, L)>> {
        let remaining = self.peel();
        let start = (0..self.successors.len()).find(|node| remaining[*node])?;
        let on_cycle = self.walk_back(start, &remaining);
        // The cycle that was found first may contain long chains, and another one may be shorter.
        let events = on_cycle.into_iter().filter(|node| *node < self.events).take(STARTS_MAX);
        events.filter_map(|event| self.shortest_from(event)).min_by_key(Vec::len)
    }

    /// Returns which nodes are on a cycle or after one: those without predecessors are removed
    /// until there are no more.
    fn peel(&self) -> Vec<bool> {
        let mut predecessors = vec![0usize; self.successors.len()];
        for (successor, _) in self.successors.iter().flatten() {
            predecessors[*successor] += 1;
        }
        let mut free: Vec<usize> =
            (0..predecessors.len()).filter(|node| predecessors[*node] == 0).collect();
        while let Some(node) = free.pop() {
            for (successor, _) in &self.successors[node] {
                predecessors[*successor] -= 1;
                if predecessors[*successor] == 0 {
                    free.push(*successor);
                }
            }
        }
        predecessors.into_iter().map(|count| count > 0).collect()
    }

    /// Walks backwards to a cycle: every remaining node has a remaining predecessor.
    fn walk_back(&self, start: usize, remaining: &[bool]) -> Vec<usize> {
        let mut predecessor = vec![None; self.successors.len()];
        for node in (0..self.successors.len()).filter(|node| remaining[*node]) {
            for (successor, _) in &self.successors[node] {
                predecessor[*successor] = Some(node);
            }
        }
        let mut path = vec![start];
        let mut place = vec![None; self.successors.len()];
        place[start] = Some(0);
        let mut node = start;
        while let Some(previous) = predecessor[node] {
            if let Some(first) = place[previous] {
                return path.split_off(first);
            }
            place[previous] = Some(path.len());
            path.push(previous);
            node = previous;
        }
        Vec::new()
    }

    /// Returns the shortest path from an event back to itself; steps to passages cost nothing.
    fn shortest_from(&self, start: usize) -> Option<Vec<(usize, L)>> {
        let mut from: Vec<Option<(usize, L)>> = vec![None; self.successors.len()];
        let mut to_visit = VecDeque::from([start]);
        while let Some(node) = to_visit.pop_front() {
            if node == start && from[start].is_some() {
                break;
            }
            for (successor, label) in &self.successors[node] {
                if from[*successor].is_some() {
                    continue;
                }
                from[*successor] = Some((node, *label));
                if *successor < self.events {
                    to_visit.push_back(*successor)
                } else {
                    to_visit.push_front(*successor)
                }
            }
        }
        let mut cycle = Vec::new();
        let mut node = start;
        loop {
            let (previous, label) = from[node]?;
            if previous < self.events {
                cycle.push((previous, label));
            }
            if previous == start {
                cycle.reverse();
                return Some(cycle);
            }
            node = previous;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycle(events: usize, passages: usize, edges: &[(usize, usize)]) -> Option<Vec<usize>> {
        let mut graph = Graph::new(events, passages);
        for (from, to) in edges {
            graph.add(*from, *to, ());
        }
        graph.cycle().map(|cycle| cycle.into_iter().map(|(node, ())| node).collect())
    }

    #[test]
    fn an_order_has_no_cycle() {
        assert_eq!(cycle(4, 0, &[(0, 1), (1, 2), (0, 2), (3, 2), (2, 2)]), None);
    }

    #[test]
    fn what_comes_before_and_behind_is_left_out() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 4)];
        let mut nodes = cycle(5, 0, &edges).unwrap();
        nodes.sort_unstable();
        assert_eq!(nodes, [1, 2]);
    }

    #[test]
    fn of_two_ways_the_shorter_is_shown() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 0)];
        let mut nodes = cycle(4, 0, &edges).unwrap();
        nodes.sort_unstable();
        assert_eq!(nodes, [0, 1]);
    }

    #[test]
    fn passages_link_events_and_are_not_shown() {
        // 0 → passage 3 → passage 4 → 2 → 0, and the longer way 0 → 1 → 2.
        let edges = [(0, 3), (3, 4), (4, 2), (2, 0), (0, 1), (1, 2)];
        let mut nodes = cycle(3, 2, &edges).unwrap();
        nodes.sort_unstable();
        assert_eq!(nodes, [0, 2]);
    }
}
