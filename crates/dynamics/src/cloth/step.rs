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
use crate::cloth::vertices::Holding;
use smooth_scene_geometry::broad_phase::BroadPhase;
use smooth_scene_geometry::math::{Pose, Vec3};

/// How far a vertex may move, in edges, until its plane is made anew.
const STALE_EDGES: f64 = 0.02;
/// Room around bodies that move, in shares of their size.
const ROOM: f64 = 0.1;
/// Rounds of triangles and vertices in a substep.
const ROUNDS: usize = 2;

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
            *known = way.inflated(if size.is_finite() { ROOM * size } else { 0.0 });
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
        blocks.iter_mut().for_each(|block| search.follow(block, points));
        let obstacles = &around.obstacles;
        let (friction, stale) = (options.friction, STALE_EDGES * edge);
        let holding = Holding { obstacles, thickness, friction, stale, start };
        self.held_back += holding.hold(blocks, weights, points);
        blocks.iter_mut().for_each(|block| block.moved += search.motion(block, points));
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
        let hold_vertices = |blocks: &mut [Block], points: &mut Points| -> usize {
            blocks.iter_mut().map(|block| self.hold_vertices(block, points)).sum()
        };
        if blocks.iter().all(|block| block.triangles.is_empty()) {
            return hold_vertices(blocks, points);
        }
        let mut held_back = 0;
        for _ in 0..ROUNDS {
            blocks.iter_mut().for_each(|block| self.push_triangles(block, weights, points));
            held_back += hold_vertices(blocks, points);
        }
        // Each round but the last puts a vertex back to where it began, where all triangles are in front.
        for _ in 0..points.len() {
            let put_back = blocks.iter_mut().map(|block| self.put_back_triangles(block, points));
            let put_back: usize = put_back.sum();
            held_back += put_back;
            if put_back == 0 {
                break;
            }
        }
        held_back
    }
}
