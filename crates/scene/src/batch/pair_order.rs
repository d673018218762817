//! In which order pairs are looked at: those first that touched most often. One contact decides about a state.

use super::findings::OpenPair;
use super::prepared::Prepared;

/// Most blocks between two times that the pairs are sorted.
const LONGEST_PERIOD: u32 = 256;

/// A pair, and what decides about most pairs: the balls around both surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct QuickPair {
    pub pair: OpenPair,
    /// Both surfaces, or the surface and the part of the world.
    pub ends: [u32; 2],
    /// They cannot touch where the square of the distance is larger than this: of the middles of both balls, or of the middle
    /// of the one from the part of the world.
    pub apart_beyond: f32,
}

/// All pairs of a scene, and how often each touched. The order never changes an answer.
#[derive(Debug, Default)]
pub(super) struct PairOrder {
    pairs: Vec<QuickPair>,
    /// Of the pairs of the robot, then of those with the world.
    contacts: Vec<u32>,
    robot_pairs: usize,
    /// Blocks since the pairs were sorted last, and until they are sorted next.
    blocks: u32,
    period: u32,
    /// Whether any pair touched since.
    has_changed: bool,
}

impl PairOrder {
    pub fn new(prepared: &Prepared) -> Self {
        let radius = |surface: u32| {
            let surface = &prepared.surfaces[surface as usize];
            prepared.balls[surface.bounding].radius
        };
        let robot = prepared.robot_pairs.iter().enumerate().map(|(place, found)| QuickPair {
            pair: OpenPair::Robot(place),
            ends: [found.a, found.b],
            apart_beyond: found.reach.apart_beyond(radius(found.a) + radius(found.b)),
        });
        let world = prepared.world_pairs.iter().enumerate().map(|(place, found)| QuickPair {
            pair: OpenPair::World(place),
            ends: [found.surface, found.part],
            apart_beyond: found.reach.apart_beyond(radius(found.surface)),
        });
        Self::of(robot.chain(world).collect(), prepared.robot_pairs.len())
    }

    fn of(pairs: Vec<QuickPair>, robot_pairs: usize) -> Self {
        let contacts = vec![0; pairs.len()];
        Self { pairs, contacts, robot_pairs, blocks: 0, period: 1, has_changed: false }
    }

    /// Takes the pairs out while contacts are counted; they have to be given back.
    pub fn take_pairs(&mut self) -> Vec<QuickPair> {
        std::mem::take(&mut self.pairs)
    }

    /// The other half of [`take_pairs`](Self::take_pairs).
    pub fn give_back(&mut self, pairs: Vec<QuickPair>) {
        self.pairs = pairs;
    }

    /// Counts a contact in some states.
    pub fn touched(&mut self, pair: OpenPair, states: u32) {
        self.has_changed = true;
        let place = self.place(pair);
        self.contacts[place] = self.contacts[place].saturating_add(states);
    }

    fn place(&self, pair: OpenPair) -> usize {
        match pair {
            OpenPair::Robot(place) => place,
            OpenPair::World(place) => self.robot_pairs + place,
        }
    }

    /// Counts a block, and sorts the pairs now and then: soon at first, more and more rarely later.
    pub fn next_block(&mut self) {
        self.blocks += 1;
        if self.blocks < self.period {
            return;
        }
        (self.blocks, self.period) = (0, (2 * self.period).min(LONGEST_PERIOD));
        if !std::mem::take(&mut self.has_changed) {
            return;
        }
        let mut pairs = std::mem::take(&mut self.pairs);
        // The order of equals stays.
        pairs.sort_by_key(|quick| std::cmp::Reverse(self.contacts[self.place(quick.pair)]));
        self.pairs = pairs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_touched_often_come_first_and_none_is_lost() {
        let robot = (0..3).map(OpenPair::Robot);
        let pairs = robot.chain((0..2).map(OpenPair::World));
        let quick = |pair| QuickPair { pair, ends: [0; 2], apart_beyond: 0.0 };
        let mut order = PairOrder::of(pairs.map(quick).collect(), 3);
        order.touched(OpenPair::World(1), 5);
        order.touched(OpenPair::Robot(2), 2);
        order.touched(OpenPair::Robot(2), 4);
        order.next_block();
        let expected = [
            OpenPair::Robot(2),
            OpenPair::World(1),
            OpenPair::Robot(0),
            OpenPair::Robot(1),
            OpenPair::World(0),
        ];
        assert_eq!(order.take_pairs(), expected.map(quick));
    }
}
