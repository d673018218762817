//! The steps of a cloth.
//!
//! A step is cut into substeps, each with one round over all constraints [Macklin 2019]:
//!
//! 1. Velocities and gravity give new positions; pins go towards their targets, bodies along their way.
//! 2. Lengths are restored: chains of both directions, folds, diagonals.
//! 3. Blocks of vertices that have moved look for bodies.
//! 4. Triangles, then vertices are put in front of bodies, with friction.
//! 5. Velocities are the differences of the positions.

use crate::cloth::contacts::Block;
use crate::cloth::error::ClothError;
use crate::cloth::obstacle::pose_between;
use crate::cloth::options::{ClothContacts, ClothSheet};
use crate::cloth::points::Points;
use crate::cloth::search::Search;
use crate::cloth::sheet::Cloth;
use crate::cloth::springs::Chains;
use crate::cloth::tuning::{CONTACT_ROUNDS, LOOKS, MOVING_ROOM};
use crate::cloth::vertices::Holding;
use smooth_scene_geometry::broad_phase::BroadPhase;
use smooth_scene_geometry::math::{Pose, Vec3};

impl Cloth {
    /// Moves the cloth on by so many seconds, at most one.
    pub fn step(&mut self, seconds: f64) -> Result<(), ClothError> {
        if !(seconds > 0.0 && seconds <= 1.0) {
            let (field, range) = ("step", "above 0, at most 1 s");
            return Err(ClothError::OutOfRange { field, value: seconds, range });
        }
        self.held_back = 0;
        let froms: Vec<Pose> = self.around.obstacles.iter().map(|obstacle| obstacle.pose).collect();
        let pins: Vec<(usize, Vec3, Vec3)> =
            self.pins.iter().map(|(k, target)| (k, self.points.get(k), *target)).collect();
        self.make_room()?;
        let substep = seconds / f64::from(self.options.substeps);
        for k in 1..=self.options.substeps {
            let share = f64::from(k) / f64::from(self.options.substeps);
            self.start.copy_from(&self.points);
            self.move_bodies(&froms, share);
            self.predict(substep);
            for (vertex, from, target) in &pins {
                self.points.set(*vertex, &(from + (target - from) * share));
            }
            self.restore_lengths(substep);
            self.keep_out();
            self.differentiate(substep);
        }
        for obstacle in &mut self.around.obstacles {
            obstacle.before = obstacle.pose;
            obstacle.is_moving = false;
        }
        Ok(())
    }

    /// Boxes of bodies that move contain all of their way; where they have to grow all blocks search again.
    fn make_room(&mut self) -> Result<(), ClothError> {
        let mut has_grown = false;
        for (id, obstacle) in self.around.obstacles.iter_mut().enumerate() {
            let target = self.targets[obstacle.body] * obstacle.local;
            obstacle.is_moving = target != obstacle.pose;
            if !obstacle.is_moving {
                continue;
            }
            let way = obstacle.aabb().merged(&obstacle.shape.aabb(&target));
            let known = &mut self.around.boxes[id];
            if known.contains(&way.min) && known.contains(&way.max) {
                continue;
            }
            let size = obstacle.aabb().half_extents().norm();
            // A half-space has no size, and no need of room.
            *known = way.inflated(if size.is_finite() { MOVING_ROOM * size } else { 0.0 });
            self.around.tree.update(id as u32, known).map_err(|source| ClothError::BadBody {
                body: format!("{}", obstacle.body),
                source,
            })?;
            has_grown = true;
        }
        if has_grown {
            self.blocks.iter_mut().for_each(Block::forget);
        }
        Ok(())
    }

    fn move_bodies(&mut self, froms: &[Pose], share: f64) {
        if !self.around.obstacles.iter().any(|obstacle| obstacle.is_moving) {
            return;
        }
        for (obstacle, from) in self.around.obstacles.iter_mut().zip(froms) {
            if obstacle.is_moving {
                obstacle.before = obstacle.pose;
                let target = self.targets[obstacle.body] * obstacle.local;
                obstacle.pose =
                    if share < 1.0 { pose_between(from, &target, share) } else { target };
            }
        }
        for block in &mut self.blocks {
            block.carry(&self.around.obstacles);
        }
    }

    /// Positions at the end of a substep without constraints.
    fn predict(&mut self, seconds: f64) {
        let fall: [f64; 3] = (self.options.gravity * (seconds * seconds)).into();
        let axes = self.points.axes_mut().into_iter().zip(self.velocities.axes()).zip(fall);
        for ((places, velocities), fall) in axes {
            for ((place, velocity), weight) in places.iter_mut().zip(velocities).zip(&self.weights)
            {
                if *weight > 0.0 {
                    *place += velocity * seconds + fall;
                }
            }
        }
    }

    fn restore_lengths(&mut self, seconds: f64) {
        let ClothSheet { rows, columns, .. } = self.sheet;
        let [along, across] = self.sheet.edges();
        let options = &self.options;
        let heaviest = self.weights.iter().fold(0.0f64, |a, b| a.max(*b));
        let chains = Chains { rows, columns, edge: along, heaviest };
        if columns > 1 {
            chains.square(
                across,
                options.shear_compliance,
                seconds,
                &self.weights,
                &mut self.points,
            );
            self.points.turn_into(columns, &mut self.turned);
            let turned = Chains { rows: columns, columns: rows, edge: across, heaviest };
            let (weights, points) = (&self.turned_weights, &mut self.turned);
            turned.unfold(options.bend_compliance, seconds, weights, points);
            turned.straighten(
                options.stretch_compliance,
                seconds,
                weights,
                points,
                &mut self.buffers,
            );
            self.turned.turn_into(rows, &mut self.points);
        }
        let (weights, points) = (&self.weights, &mut self.points);
        chains.unfold(options.bend_compliance, seconds, weights, points);
        chains.straighten(options.stretch_compliance, seconds, weights, points, &mut self.buffers);
    }

    /// Puts triangles and vertices in front of bodies.
    ///
    /// A push may carry a vertex beyond where its block has looked for bodies: a triangle with pinned corners turns about them. Then
    /// the blocks look again and all is put in front again. What goes on for too long ends where it began, all of it.
    fn keep_out(&mut self) {
        let Self { sheet, options, around, blocks, start, points, weights, .. } = self;
        if around.obstacles.is_empty() {
            return;
        }
        let [along, across] = sheet.edges();
        let edge = if across > 0.0 { along.min(across) } else { along };
        let with_triangles = options.contacts == ClothContacts::Triangles && sheet.columns > 1;
        let (rows, columns, thickness) = (sheet.rows, sheet.columns, options.thickness);
        let search = Search { rows, columns, edge, thickness, with_triangles, around, start };
        let obstacles = &around.obstacles;
        let holding = Holding { obstacles, thickness, friction: options.friction, edge, start };
        for _ in 0..LOOKS {
            blocks.iter_mut().for_each(|block| search.follow(block, points));
            self.held_back += holding.hold(blocks, weights, points);
            let motions: Vec<f64> =
                blocks.iter().map(|block| search.motion(block, points)).collect();
            let all = || blocks.iter().zip(&motions);
            if all().all(|(block, motion)| block.moved + motion <= block.slack) {
                blocks.iter_mut().zip(motions).for_each(|(block, motion)| block.moved += motion);
                return;
            }
        }
        self.held_back += points.len();
        points.copy_from(start);
    }

    /// Velocities are what the positions did, less the damping.
    fn differentiate(&mut self, seconds: f64) {
        let kept = libm::exp(-self.options.damping * seconds) / seconds;
        let axes = self.velocities.axes_mut().into_iter().zip(self.points.axes());
        for ((velocities, places), starts) in axes.zip(self.start.axes()) {
            for ((velocity, place), start) in velocities.iter_mut().zip(places).zip(starts) {
                *velocity = (place - start) * kept;
            }
        }
    }
}

impl Holding<'_> {
    /// Triangles and vertices of all blocks. Returns how many of them had to stay where they began.
    fn hold(&self, blocks: &mut [Block], weights: &[f64], points: &mut Points) -> usize {
        if blocks.iter().all(|block| block.triangles.is_empty()) {
            return blocks.iter_mut().map(|block| self.hold_vertices(block, points).0).sum();
        }
        let (mut held_back, mut moved) = (0, vec![false; blocks.len()]);
        for _ in 0..CONTACT_ROUNDS {
            for (block, moved) in blocks.iter_mut().zip(&mut moved) {
                *moved = self.push_triangles(block, weights, points);
            }
            for (block, moved) in blocks.iter_mut().zip(&mut moved) {
                let (held, has_moved) = self.hold_vertices(block, points);
                held_back += held;
                *moved |= has_moved;
            }
        }
        let is_any_moving = self.obstacles.iter().any(|obstacle| obstacle.is_moving);
        let pushed = is_any_moving.then(|| points.clone());
        let put_back = self.put_back(blocks, moved, points);
        if let Some(pushed) = pushed.filter(|_| put_back > 0) {
            blocks.iter().for_each(|block| self.make_way(block, &pushed, points));
        }
        held_back + put_back
    }

    /// Puts triangles that a body sticks through back to where they began. After a round all are in front where nothing has moved in
    /// it, so only what shares vertices with what has moved is looked at. Returns how many there were.
    fn put_back(&self, blocks: &mut [Block], mut moved: Vec<bool>, points: &mut Points) -> usize {
        let mut all = 0;
        // Each round but the last puts a vertex back to where it began, where all triangles are in front.
        for _ in 0..points.len() {
            let near = neighbours_of(blocks, &moved);
            moved.fill(false);
            for ((block, moved), _) in
                blocks.iter_mut().zip(&mut moved).zip(near).filter(|(_, near)| *near)
            {
                let put_back = self.put_back_triangles(block, points);
                all += put_back;
                *moved = put_back > 0;
            }
            if !moved.contains(&true) {
                break;
            }
        }
        all
    }
}

/// Which blocks share vertices of their triangles with those marked: the marked ones, and those around them.
fn neighbours_of(blocks: &[Block], marked: &[bool]) -> Vec<bool> {
    let width = blocks.iter().take_while(|block| block.rows.start == 0).count();
    let mut near = vec![false; blocks.len()];
    for k in (0..blocks.len()).filter(|&k| marked[k]) {
        let (row, column) = (k / width, k % width);
        for i in row.saturating_sub(1)..(row + 2).min(blocks.len() / width) {
            let columns = column.saturating_sub(1)..(column + 2).min(width);
            near[i * width + columns.start..i * width + columns.end].fill(true);
        }
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rows of four blocks, the last of each cut off.
    #[test]
    fn blocks_around_a_marked_one_are_its_neighbours() {
        let blocks = Block::all(20, 30);
        assert_eq!(blocks.len(), 12);
        for marked in 0..12 {
            let mut only = vec![false; 12];
            only[marked] = true;
            for (k, is_near) in neighbours_of(&blocks, &only).into_iter().enumerate() {
                let (rows, columns) = ((k / 4).abs_diff(marked / 4), (k % 4).abs_diff(marked % 4));
                assert_eq!(is_near, rows <= 1 && columns <= 1, "{k} beside {marked}");
            }
        }
        assert_eq!(neighbours_of(&blocks, &[false; 12]), [false; 12]);
    }
}
