//! What is found out about a block of states, and where the surfaces are in them.

use super::kinematics::LANES;
use super::lane_pose::LanePose;
use super::prepared::Prepared;
use smooth_scene_geometry::simd::{F32x8, Simd};

/// A pair about which balls prove nothing in some states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenPair {
    /// Place among the pairs of the robot.
    Robot(usize),
    /// Place among the pairs with the world.
    World(usize),
}

/// What was found out about a block: bits are states, the first one lowest.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// States that are proven to be in collision.
    pub colliding: u32,
    /// Pairs that have to be asked about exactly, and in which states.
    pub open: Vec<(OpenPair, u32)>,
    pub poses: Vec<LanePose>,
    /// Centres of the balls around the whole of each surface.
    pub bounding: Vec<[F32x8; 3]>,
    /// Centres of all other balls; those of a surface are only up to date if it says so.
    pub centers: Vec<[F32x8; 3]>,
    is_placed: Vec<bool>,
    /// Middles and half axes of the capsules around surfaces, of those that say so.
    pub capsules: Vec<[[F32x8; 3]; 2]>,
    has_capsule: Vec<bool>,
    /// Poses of the shapes of surfaces, of those that say so.
    pub shapes: Vec<LanePose>,
    is_shape_placed: Vec<bool>,
}

impl Findings {
    /// Puts the robot into eight states; nothing is found out about them yet.
    #[inline(always)]
    pub fn begin<S: Simd>(&mut self, prepared: &Prepared, states: [&[f64]; LANES]) {
        self.colliding = 0;
        self.open.clear();
        prepared.chain.poses::<S>(states, &mut self.poses);
        let (surfaces, nowhere) = (prepared.surfaces.len(), [F32x8([0.0; LANES]); 3]);
        self.centers.resize(prepared.balls.len(), nowhere);
        self.capsules.resize(surfaces, [nowhere; 2]);
        self.shapes.resize(surfaces, self.poses[0]);
        for flags in [&mut self.is_placed, &mut self.has_capsule, &mut self.is_shape_placed] {
            flags.clear();
            flags.resize(surfaces, false);
        }
        self.bounding.clear();
        for surface in &prepared.surfaces {
            let center = &prepared.balls[surface.bounding].center;
            self.bounding.push(self.poses[surface.frame].point::<S>(center));
        }
    }

    /// Places the balls of a surface.
    #[inline(always)]
    pub fn place<S: Simd>(&mut self, prepared: &Prepared, surface: usize) {
        if std::mem::replace(&mut self.is_placed[surface], true) {
            return;
        }
        let found = &prepared.surfaces[surface];
        let pose = &self.poses[found.frame];
        for ball in found.around.clone() {
            self.centers[ball] = pose.point::<S>(&prepared.balls[ball].center);
        }
    }

    /// Places the capsule around a surface.
    #[inline(always)]
    pub fn place_capsule<S: Simd>(&mut self, prepared: &Prepared, surface: usize) {
        if !std::mem::replace(&mut self.has_capsule[surface], true) {
            let found = &prepared.surfaces[surface];
            let pose = &self.poses[found.frame];
            self.capsules[surface] =
                [pose.point::<S>(&found.middle), pose.vector::<S>(&found.axis)];
        }
    }

    /// Places the shape of a surface.
    #[inline(always)]
    pub fn place_shape<S: Simd>(&mut self, prepared: &Prepared, surface: usize) {
        if !std::mem::replace(&mut self.is_shape_placed[surface], true) {
            let found = &prepared.surfaces[surface];
            self.shapes[surface] = self.poses[found.frame].fixed::<S>(&found.pose);
        }
    }
}
