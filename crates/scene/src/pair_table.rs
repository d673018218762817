//! Bounds on the distance of two surfaces of a robot between which one or two joints move, kept in a table.
//!
//! The distance of such a pair depends on one or two numbers alone. Their ranges are divided into cells. From the middle of a
//! cell no point of either surface moves farther than
//!
//! ```text
//! Σ |Δqⱼ| Rⱼ for joints that turn + Σ |Δqⱼ| for joints that slide
//! ```
//!
//! with Rⱼ the distance of its points from the axis of joint j at most. So the distance in the middle less these bounds the
//! distance in the whole cell from below. A cell is filled when it is first asked for.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::balls::{Ball, Balls};
use crate::robot_shape::RobotShape;
use nalgebra::Point3;
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Vec3, unit_or};
use smooth_scene_query::{Separating, separating_direction};
use smooth_scene_robot::{Coupling, JointId, JointKind, RobotModel};

/// Cells of a table. 128 by 128 leave steps of a few hundredths of a radian for joints of robot arms.
const CELLS: usize = 1 << 14;
/// What single precision may add to a bound, relative, and m.
const ROUNDING: f64 = 1e-6;
/// Bounds below this, m, are not looked for: with paddings and margins, pairs that are so close are decided otherwise.
const WORTHWHILE: f64 = 1e-3;
/// The bound of a cell in which the surfaces may touch.
const UNDECIDED: f32 = -1.0;

/// One number that the pair depends on.
#[derive(Debug, Clone, Copy)]
struct Axis {
    /// Its place in a position vector.
    place: usize,
    lower: f64,
    /// Width of a cell.
    step: f64,
    cells: usize,
    /// How far points of both surfaces move at most from the middle of a cell to its border, m.
    shift: f64,
}

/// Lower bounds on the distance of a pair, not grown.
#[derive(Debug)]
pub(crate) struct PairTable {
    axes: Vec<Axis>,
    /// Bits of a bound in single precision; no number while it is not known.
    bounds: Vec<AtomicU32>,
}

impl PairTable {
    /// A table for two surfaces and the joints from each of them up to the last link above both; nothing for pairs that depend
    /// on more than two numbers, or on numbers without limits.
    pub fn new(
        model: &RobotModel,
        surfaces: [&RobotShape; 2],
        chains: &[Vec<JointId>; 2],
    ) -> Option<Self> {
        let mut axes: Vec<Axis> = Vec::new();
        for (surface, chain) in surfaces.into_iter().zip(chains) {
            let balls = surface.balls.get_or_init(|| Balls::new(&surface.shape)).as_ref()?;
            let placed = |ball: &Ball| Ball {
                center: (surface.pose_in_link * Point3::from(ball.center)).coords,
                ..*ball
            };
            // In the frame behind the first joint that moves, whose origin is on the axis of that joint.
            let mut around: Vec<Ball> = balls.around.iter().map(placed).collect();
            let mut reach = None;
            for &id in chain {
                let joint = model.joint(id);
                let (leader, factor) = match joint.coupling {
                    Coupling::Independent { .. } => (id, 1.0),
                    Coupling::Mimic { leader, multiplier, .. } => (leader, multiplier),
                };
                let farthest = |distance: &dyn Fn(&Vec3) -> f64| {
                    let of_ball = |ball: &Ball| distance(&ball.center) + ball.radius;
                    around.iter().map(of_ball).fold(0.0, f64::max)
                };
                let (rate, slide) = match joint.kind {
                    JointKind::Fixed if reach.is_none() => {
                        for ball in &mut around {
                            ball.center = (joint.origin * Point3::from(ball.center)).coords;
                        }
                        continue;
                    }
                    JointKind::Fixed => (0.0, 0.0),
                    JointKind::Revolute => {
                        let across = || farthest(&|center| center.cross(&joint.axis).norm());
                        (reach.unwrap_or_else(across), 0.0)
                    }
                    JointKind::Prismatic => {
                        (1.0, joint.limits.lower.abs().max(joint.limits.upper.abs()))
                    }
                    JointKind::Continuous | JointKind::Planar | JointKind::Floating => return None,
                };
                let own = reach.unwrap_or_else(|| farthest(&|center| center.norm()));
                reach = Some(own + joint.origin.translation.vector.norm() + slide);
                if joint.kind != JointKind::Fixed {
                    add_axis(&mut axes, model, leader, rate * factor.abs())?;
                }
            }
        }
        let cells = match axes.len() {
            1 => CELLS / 16,
            2 => 128,
            _ => return None,
        };
        for axis in &mut axes {
            // Until here the step is the whole range, and the shift is for one unit.
            axis.step /= cells as f64;
            axis.shift *= 0.5 * axis.step;
            axis.cells = cells;
        }
        let count = axes.iter().map(|axis| axis.cells).product();
        let unknown = || AtomicU32::new(f32::NAN.to_bits());
        Some(Self { axes, bounds: std::iter::repeat_with(unknown).take(count).collect() })
    }

    /// A lower bound on the distance of the surfaces in a state, m; nothing outside the limits of the joints. Negative when
    /// nothing is known.
    pub fn lower_bound(
        &self,
        model: &RobotModel,
        surfaces: [&RobotShape; 2],
        chains: &[Vec<JointId>; 2],
        positions: &[f64],
    ) -> Option<f64> {
        let mut cell = 0;
        for axis in &self.axes {
            let place = (positions[axis.place] - axis.lower) / axis.step;
            // Not so for what is no number either.
            if !(place >= 0.0 && place < axis.cells as f64) {
                return None;
            }
            cell = cell * axis.cells + place as usize;
        }
        let known = f32::from_bits(self.bounds[cell].load(Ordering::Relaxed));
        if !known.is_nan() {
            return Some(known.into());
        }
        let bound = self.fill(model, surfaces, chains, cell);
        // Whoever else fills the cell at the same time finds the same.
        self.bounds[cell].store(bound.to_bits(), Ordering::Relaxed);
        Some(bound.into())
    }

    fn fill(
        &self,
        model: &RobotModel,
        surfaces: [&RobotShape; 2],
        chains: &[Vec<JointId>; 2],
        cell: usize,
    ) -> f32 {
        let mut positions = vec![0.0; model.position_count()];
        let (mut rest, mut shift) = (cell, 0.0);
        for axis in self.axes.iter().rev() {
            positions[axis.place] = axis.lower + axis.step * ((rest % axis.cells) as f64 + 0.5);
            rest /= axis.cells;
            shift += axis.shift;
        }
        let [a, b] = surfaces;
        let pose_a = a.pose_above(model, &chains[0], &positions);
        let pose_b = b.pose_above(model, &chains[1], &positions);
        let (pose_ab, needed) = (pose_a.inverse() * pose_b, shift + WORTHWHILE);
        let rotation = pose_ab.rotation.to_rotation_matrix().into_inner();
        let start =
            unit_or(&(pose_ab * Point3::from(b.center) - Point3::from(a.center)), &Vec3::x());
        let found = separating_direction(needed, &start, |normal_a| {
            let point_b = rotation * b.shape.support(&-rotation.tr_mul(normal_a)).point;
            pose_ab.translation.vector + point_b - a.shape.support(normal_a).point
        });
        match found {
            Separating::Found { gap, .. } => {
                ((gap - shift) * (1.0 - ROUNDING)
                    - ROUNDING * (1.0 + pose_ab.translation.vector.norm())) as f32
            }
            Separating::None { .. } | Separating::Open => UNDECIDED,
        }
    }
}

/// Adds what a joint moves by, m per unit of its number.
fn add_axis(axes: &mut Vec<Axis>, model: &RobotModel, leader: JointId, rate: f64) -> Option<()> {
    let limits = &model.joint(leader).limits;
    let (lower, step) = (limits.lower, limits.upper - limits.lower);
    if !(step > 0.0 && step.is_finite()) {
        return None;
    }
    let place = model.first_position(leader);
    match axes.iter_mut().find(|axis| axis.place == place) {
        Some(axis) => axis.shift += rate,
        None => axes.push(Axis { place, lower, step, cells: 0, shift: rate }),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planning_scene::PlanningScene;
    use smooth_scene_query::{QueryOptions, distance};
    use smooth_scene_robot::{LoadOptions, StateSampler, parse_urdf};
    use std::sync::Arc;

    /// An arm whose pairs depend on one, two and three joints, one of which slides and one of which follows another.
    fn arm() -> PlanningScene {
        let link = |name: &str| {
            format!(
                r#"<link name="{name}"><collision><origin xyz="0.02 0 0.1" rpy="0.1 0.2 0"/>
                <geometry><box size="0.06 0.08 0.2"/></geometry></collision></link>"#
            )
        };
        let joint = |kind: &str, parent: &str, child: &str, axis: &str, more: &str| {
            format!(
                r#"<joint name="to_{child}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
                <origin xyz="0.03 0 0.2" rpy="0.2 0 0.1"/><axis xyz="{axis}"/>
                <limit lower="-0.7" upper="2.1" effort="1" velocity="1"/>{more}</joint>"#
            )
        };
        let urdf = [
            r#"<robot name="arm">"#.to_owned(),
            ["a", "b", "c", "d", "e"].map(link).concat(),
            joint("revolute", "a", "b", "0 1 0", ""),
            joint("revolute", "b", "c", "0.6 0.8 0", ""),
            joint("prismatic", "c", "d", "0 0 1", "").replace("2.1", "0.3"),
            joint("revolute", "d", "e", "1 0 0", r#"<mimic joint="to_b" multiplier="-0.5"/>"#),
            "</robot>".to_owned(),
        ];
        let model = parse_urdf(&urdf.concat(), "arm", &LoadOptions::default()).unwrap().model;
        PlanningScene::new(Arc::new(model), None).unwrap()
    }

    #[test]
    fn no_bound_exceeds_the_distance() {
        let scene = arm();
        let (model, shapes) = (scene.model(), &scene.robot.shapes);
        let (mut tables, mut useful) = (0, 0);
        for &(a, b) in &scene.robot.pairs {
            let surfaces = [&shapes[a as usize], &shapes[b as usize]];
            let links = surfaces.map(|surface| surface.link);
            let top = model.common_link(links[0], links[1]);
            let chains = links.map(|link| model.joints_up_to(link, top));
            let Some(table) = PairTable::new(model, surfaces, &chains) else { continue };
            tables += 1;
            let mut sampler = StateSampler::new(model, 5);
            for _ in 0..3000 {
                let state = sampler.draw();
                let bound = table.lower_bound(model, surfaces, &chains, &state).unwrap();
                // The second time it comes from the table.
                assert_eq!(table.lower_bound(model, surfaces, &chains, &state), Some(bound));
                if bound > 0.0 {
                    let pose = |k: usize| surfaces[k].pose_above(model, &chains[k], &state);
                    let (one, other) = (&surfaces[0].shape, &surfaces[1].shape);
                    let options = QueryOptions::default();
                    let found = distance(one, &pose(0), other, &pose(1), &options);
                    assert!(bound <= found.upper, "{bound} {found:?}");
                    useful += 1;
                }
            }
            let mut outside = sampler.draw();
            outside.fill(50.0);
            assert_eq!(table.lower_bound(model, surfaces, &chains, &outside), None);
        }
        assert!(tables == 3 && useful > 3000, "{tables} {useful}");
    }
}
