//! Continuous and discrete checks agree, for every kind of shape and joint, with padding, scale and margins, from
//! micrometres to the largest shapes there are.
//!
//! For a random scene and a random straight motion:
//!
//! 1. no state before `free_until` is in collision;
//! 2. a motion without a contact is free to its end, and no sampled state is in collision;
//! 3. at the first contact the bodies touch, within the contact tolerance;
//! 4. no state before `free_until` is nearer than `lower`.
//!
//! A scene may refuse a padding that its shapes cannot bear; it may not forget it.

use std::cell::Cell;
use std::error::Error;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{MotionGoal, MotionOptions, MotionStatus};
use smooth_scene_robot::{
    JointKind, JointLimits, JointSpec, LinkSpec, LinkSurface, RobotModel, interpolate,
};
use smooth_scene_scene::{
    AllowedCollisionMatrix, CheckRequest, LinkSize, MatrixChange, MotionRequest, NearestRequest,
    PlanningScene, RobotChange, SceneChange, SceneObject, Workspace, WorldChange,
};

/// Random scenes; `PROPTEST_CASES` overrides it.
const CASES: u32 = 400;
/// States sampled along one motion.
const SAMPLES: usize = 60;
/// Largest length of a shape, m.
const LONGEST: f64 = 1e6;
/// Names of the shape kinds that [`ShapeSpec::build`] makes.
const KINDS: usize = 14;

/// A shape in multiples of a size.
#[derive(Debug, Clone)]
struct ShapeSpec {
    kind: usize,
    lengths: [f64; 3],
    exponents: [f64; 2],
    taper: [f64; 2],
}

impl ShapeSpec {
    fn build(&self, size: f64) -> Shape {
        let [x, y, z] = self.lengths.map(|length| (length * size).min(LONGEST));
        let [xy, ez] = self.exponents;
        let corners = || {
            let signs = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
            signs.map(|s| Vec3::new(s[0] * x, s[1] * y, s[2] * z))
        };
        let stretch = Mat3::new(1.0, 0.3, 0.0, 0.0, 0.9, 0.0, 0.0, 0.1, 0.8);
        let shape = match self.kind {
            0 => Shape::sphere(x),
            1 => Shape::ellipsoid([x, y, z]),
            2 => Shape::superellipsoid([x, y, z], xy, ez),
            3 => Shape::superovoid([x, y, z], xy, ez, self.taper),
            4 => Shape::poly_ellipsoid([x, y, z, z, x, y]),
            5 => Shape::cuboid([x, y, z]),
            6 => Shape::cylinder(x, y),
            7 => Shape::capsule(x, y),
            8 => Shape::cone(x, y),
            9 => Shape::half_space([x, -y, z], -x),
            10 => Shape::convex_mesh(&corners()),
            11 => Shape::compound(vec![
                (Pose::translation(0.0, 0.5 * y, 0.0), Shape::sphere(0.5 * x).unwrap()),
                (Pose::identity(), Shape::cuboid([0.5 * x, 0.5 * y, 0.5 * z]).unwrap()),
            ]),
            12 => Shape::cuboid([0.5 * x, 0.5 * y, 0.5 * z]).unwrap().padded(0.5 * z),
            13 => {
                Shape::superellipsoid([0.5 * x, 0.5 * y, 0.5 * z], xy, ez).unwrap().mapped(&stretch)
            }
            kind => unreachable!("there are {KINDS} kinds, this is {kind}"),
        };
        shape.unwrap()
    }
}

fn shape_spec() -> impl Strategy<Value = ShapeSpec> {
    let kind = prop_oneof![1 => Just(0), 3 => 0..KINDS];
    let length = || 0.2..1.0f64;
    let exponent = || prop_oneof![Just(1.0), 0.2..1.8f64];
    (kind, [length(), length(), length()], [exponent(), exponent()], [-0.3..0.3f64, -0.3..0.3f64])
        .prop_map(|(kind, lengths, exponents, taper)| ShapeSpec { kind, lengths, exponents, taper })
}

/// A robot of three links in a row, an object beside the second, and a motion.
#[derive(Debug, Clone)]
struct Case {
    /// Metres per unit of the shapes.
    size: f64,
    /// Of the base (if it has one), the two moving links, and the object.
    shapes: [ShapeSpec; 4],
    base_has_shape: bool,
    joints: [JointKind; 2],
    /// Unit vector from the second link to the object.
    toward: Vec3,
    /// From bounding ball to bounding ball at the origin of the joints: multiples of the growth and of the size.
    gap: [f64; 2],
    /// Paddings and margins in metres.
    padding: f64,
    self_padding: f64,
    margins: [f64; 2],
    scale: f64,
    /// Start and end of the twelve numbers that joints take their positions from, in [-1, 1].
    from: [f64; 14],
    to: [f64; 14],
}

fn case() -> impl Strategy<Value = Case> {
    let size = prop_oneof![
        6 => (-2.0..1.0f64).prop_map(|e| 10f64.powf(e)),
        1 => (-5.0..5.0f64).prop_map(|e| 10f64.powf(e)),
        // Lengths are at most `size`: these shapes are near the longest there can be.
        2 => (0.0..1500.0f64).prop_map(|below| 5.0 * (LONGEST - below)),
    ];
    let growth = || prop_oneof![2 => Just(0.0), 3 => 0.0..0.3f64];
    let joint = || {
        prop_oneof![
            2 => Just(JointKind::Prismatic),
            1 => Just(JointKind::Revolute),
            1 => Just(JointKind::Continuous),
            1 => Just(JointKind::Planar),
            1 => Just(JointKind::Floating),
            1 => Just(JointKind::Fixed),
        ]
    };
    let toward = [-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64].prop_map(|v| {
        Vec3::from(v).try_normalize(1e-3).unwrap_or(Vec3::new(1.0, 1.0, 1.0).normalize())
    });
    let gap = [prop_oneof![Just(0.5), 0.0..3.0f64], prop_oneof![Just(0.0), 0.0..1.0f64]];
    let scale = prop_oneof![Just(1.0), 0.3..1.5f64];
    let number = || prop::array::uniform14(-1.0..1.0f64);
    (
        (size, [shape_spec(), shape_spec(), shape_spec(), shape_spec()], any::<bool>()),
        ([joint(), joint()], toward, gap),
        (growth(), growth(), [growth(), growth()], scale),
        (prop_oneof![Just([0.0; 14]), number()], number()),
    )
        .prop_map(|(bodies, places, sizes, motion)| {
            let (size, shapes, base_has_shape) = bodies;
            let (joints, toward, gap) = places;
            let (padding, self_padding, margins, scale) = sizes;
            let metres = |share: f64| (share * size).min(1000.0 * share);
            Case {
                size,
                shapes,
                base_has_shape,
                joints,
                toward,
                gap,
                padding: metres(padding),
                self_padding: metres(self_padding),
                margins: margins.map(metres),
                scale,
                from: motion.0,
                to: motion.1,
            }
        })
}

/// The radius of a ball around the origin; of a half-space, its distance from the origin stands in.
fn reach(shape: &Shape) -> f64 {
    match shape {
        Shape::HalfSpace(half_space) => half_space.offset().abs(),
        shape => shape.bounding_radius(),
    }
}

impl Case {
    fn is_huge(&self) -> bool {
        self.size > LONGEST
    }

    fn growth(&self) -> f64 {
        self.padding + self.margins[0] + 2.0 * self.self_padding + self.margins[1]
    }

    fn build(&self) -> [Shape; 4] {
        [0, 1, 2, 3].map(|k| {
            // Of shapes near the longest only one has room in the world: that of the first moving link.
            let size = if self.is_huge() && k != 1 { 1.0 } else { self.size };
            self.shapes[k].build(size)
        })
    }

    fn gap_length(&self) -> f64 {
        self.gap[0] * self.growth() + self.gap[1] * self.size.min(1e3)
    }

    fn scene(&self) -> Result<PlanningScene, Box<dyn Error>> {
        let shapes = self.build();
        let reaches =
            [0, 1, 2, 3].map(|k| reach(&shapes[k]) * if k == 1 { self.scale } else { 1.0 });
        let side = self.toward.cross(&Vec3::new(0.3, -0.5, 0.8)).normalize();
        let link = |name: &str, shape: Option<Shape>| LinkSpec {
            name: name.into(),
            collisions: shape
                .map(|shape| LinkSurface { name: None, pose_in_link: Pose::identity(), shape })
                .into_iter()
                .collect(),
        };
        let joint = |k: usize, parent: &str, child: &str, offset: Vec3| JointSpec {
            name: format!("joint_{k}"),
            kind: self.joints[k],
            parent: parent.into(),
            child: child.into(),
            origin: Pose::new(offset, Vec3::zeros()),
            axis: if self.joints[k] == JointKind::Prismatic { self.toward } else { side },
            limits: JointLimits { lower: -1e7, upper: 1e7, ..JointLimits::NONE },
            mimic: None,
        };
        let gap = self.gap_length();
        let between = |a: usize, b: usize| reaches[a] + reaches[b] + gap;
        let base = (self.base_has_shape && !self.is_huge()).then(|| shapes[0].clone());
        let first_at = if self.is_huge() { 0.0 } else { between(0, 1) };
        let links = vec![
            link("base", base),
            link("first", Some(shapes[1].clone())),
            link("second", Some(shapes[2].clone())),
        ];
        let joints = vec![
            joint(0, "base", "first", self.toward * first_at),
            joint(1, "first", "second", side * between(1, 2)),
        ];
        let model = RobotModel::new("three".into(), links, joints)?;
        let mut scene = PlanningScene::new(Arc::new(model), None)?;
        let at = self.toward * (first_at + between(1, 3));
        let pose = Pose::translation(at.x, at.y, at.z);
        let object = SceneObject::simple("object", pose, shapes[3].clone())?;
        let size =
            |scale| LinkSize { padding: self.padding, self_padding: self.self_padding, scale };
        let set_size =
            |link: &str, scale| RobotChange::SetLinkSize { link: link.into(), size: size(scale) };
        let margin =
            |a: &str, b: &str, margin| RobotChange::SetMargin { a: a.into(), b: b.into(), margin };
        scene.apply(SceneChange::Several(vec![
            MatrixChange::Replace(AllowedCollisionMatrix::new()).into(),
            WorldChange::Add(object).into(),
            set_size("first", self.scale).into(),
            set_size("second", 1.0).into(),
            margin("first", "object", self.margins[0]).into(),
            margin("first", "second", self.margins[1]).into(),
        ]))?;
        Ok(scene)
    }

    /// Joint positions from numbers in [-1, 1].
    fn positions(&self, numbers: &[f64; 14]) -> Vec<f64> {
        let length = 3.0 * self.gap_length() + 0.1 * self.size.min(10.0);
        let mut out = Vec::new();
        for (kind, n) in self.joints.iter().zip(numbers.chunks(7)) {
            match kind {
                JointKind::Fixed => {}
                JointKind::Prismatic => out.push(length * n[0]),
                JointKind::Revolute | JointKind::Continuous => out.push(1.5 * n[0]),
                JointKind::Planar => out.extend([length * n[0], length * n[1], 1.5 * n[2]]),
                JointKind::Floating => {
                    let turn = nalgebra::UnitQuaternion::new(1.5 * Vec3::new(n[3], n[4], n[5]));
                    out.extend([length * n[0], length * n[1], length * n[2]]);
                    out.extend([turn.i, turn.j, turn.k, turn.w]);
                }
            }
        }
        out
    }
}

/// What the cases were, so that a test of nothing fails.
#[derive(Default)]
struct Tally {
    refused: Cell<usize>,
    free: Cell<usize>,
    later_contacts: Cell<usize>,
    unfinished: Cell<usize>,
    answers: Cell<usize>,
}

fn add(count: &Cell<usize>) {
    count.set(count.get() + 1);
}

fn check(case: &Case, tally: &Tally) -> Result<(), TestCaseError> {
    let scene = match case.scene() {
        Ok(scene) => scene,
        // Only what is near the limits may be refused.
        Err(error) => {
            prop_assert!(case.size > 1e4, "{error}");
            add(&tally.refused);
            return Ok(());
        }
    };
    let way = [case.positions(&case.from), case.positions(&case.to)];
    let mut ws = Workspace::cold();
    let mut sampled = Vec::new();
    let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let state = |time: f64, ws: &mut Workspace| {
        let q = interpolate(scene.model(), &way[0], &way[1], time).unwrap();
        let hit = scene.in_collision(&q, &CheckRequest::default(), ws).unwrap();
        let mut out = Vec::new();
        scene.nearest(&q, &request, ws, &mut out).unwrap();
        (time, hit, out[0].distance)
    };
    for k in 0..=SAMPLES {
        sampled.push(state(k as f64 / SAMPLES as f64, &mut ws));
    }
    // Contacts are found to 1e-9 of the larger body; the arithmetic has some digits of the largest coordinate.
    let largest = case.build().iter().map(reach).fold(case.growth() + case.gap_length(), f64::max);
    let tolerance = 1e-8 * largest;
    for goal in [MotionGoal::FirstContact, MotionGoal::ClosestApproach] {
        let options = MotionOptions { goal, ..MotionOptions::default() };
        let request = MotionRequest { options, ..MotionRequest::default() };
        let answer = scene.check_motion(&way, &request).unwrap();
        add(&tally.answers);
        for (time, hit, found) in sampled.iter().filter(|(time, ..)| *time < answer.free_until) {
            prop_assert!(!hit, "{goal:?}: in collision at {time}, {found:?}, before {answer:?}");
            prop_assert!(
                answer.lower <= found.upper + tolerance,
                "{goal:?}: {found:?} at {time} is nearer than {answer:?}"
            );
        }
        match (answer.first_contact, answer.status) {
            (Some(time), MotionStatus::Converged) => {
                let (_, hit, found) = state(time, &mut ws);
                prop_assert!(hit || found.lower <= tolerance, "{goal:?}: {found:?} at {answer:?}");
                prop_assert!(answer.free_until <= time, "{goal:?}: {answer:?}");
                if time > 0.0 {
                    add(&tally.later_contacts);
                }
            }
            (None, MotionStatus::Converged) => {
                prop_assert_eq!(answer.free_until, 1.0);
                let last = &sampled[SAMPLES];
                prop_assert!(!last.1, "{goal:?}: in collision at the end, {last:?}, {answer:?}");
                add(&tally.free);
            }
            (_, MotionStatus::BudgetExhausted) => add(&tally.unfinished),
        }
    }
    Ok(())
}

#[test]
fn continuous_and_discrete_checks_agree() {
    let default = Config::default();
    // `PROPTEST_CASES` asks for more.
    let cases = if default.cases == 256 { CASES } else { default.cases };
    let config = Config { cases, failure_persistence: None, ..default };
    let tally = Tally::default();
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(&case(), |case| check(&case, &tally));
    if let Err(error) = outcome {
        panic!("{error}\n{runner}");
    }
    let [refused, free, later, unfinished, answers] =
        [&tally.refused, &tally.free, &tally.later_contacts, &tally.unfinished, &tally.answers]
            .map(Cell::get);
    println!(
        "{answers} answers: {free} free, {later} contacts on the way, {unfinished} unfinished; {refused} refused"
    );
    assert!(10 * free > answers && 20 * later > answers, "{free} {later} of {answers}");
    assert!(20 * unfinished < answers, "{unfinished} of {answers}");
}
