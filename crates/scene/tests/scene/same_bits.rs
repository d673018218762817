//! The same input gives the same bits on every CPU.
//!
//! Ten thousand questions, made by a seeded generator from sums and products alone, and a digest of the bits of all answers.
//! `tests/data/same_bits.txt` holds the digests. They change whenever the arithmetic of the engine changes, which is no fault:
//! run the tests with `UPDATE_GOLDEN=1` and commit the file. They must not change with the machine.
//!
//! - With the feature `external-tests` the questions also run on emulated CPUs of both makers: with AVX2 and FMA, and on older
//!   ones without, which take the portable path.
//! - aarch64 takes the portable path with its own fused multiply-add in place of `libm::fma`; both round once. This has not been
//!   run. To check it, build this test with `--target aarch64-unknown-linux-gnu` and run it under `qemu-aarch64`.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_query::{
    MotionGoal, MotionOptions, PairQuery, PairQuestion, PosedPair, QueryOptions, RigidMotion,
    ScrewMotion, SignedDistance, TimeOfImpact, Within, distance, distance_gradient,
    for_each_distance_within, point_distance, second_order, time_of_impact,
};
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::{MotionRequest, NearestRequest, PlanningScene, Workspace};
use smooth_scene_test_support::movement::bundled;

/// A 64-bit FNV-1a hash (Fowler, Noll, Vo) over the bytes of numbers.
struct Digest {
    hash: u64,
    questions: usize,
}

impl Digest {
    fn new() -> Self {
        Self { hash: 0xcbf2_9ce4_8422_2325, questions: 0 }
    }

    fn add_bits(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn add(&mut self, numbers: impl IntoIterator<Item = f64>) {
        // The sign and the payload of a NaN are not defined; that there is one is.
        numbers.into_iter().for_each(|x| {
            self.add_bits(if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() });
        });
    }

    fn add_vector(&mut self, v: &Vec3) {
        self.add([v.x, v.y, v.z]);
    }

    fn add_distance(&mut self, found: &SignedDistance) {
        self.add([found.distance, found.lower, found.upper]);
        self.add_vector(&found.witness_a_w);
        self.add_vector(&found.witness_b_w);
        self.add_vector(&found.normal_ab_w);
        self.add_bits(found.status as u64);
        self.add_bits(u64::from(found.iterations));
    }

    fn add_within(&mut self, found: &Within) {
        match found {
            Within::Farther { lower, .. } => self.add([*lower]),
            Within::Near(found) => self.add_distance(found),
        }
    }

    fn add_impact(&mut self, found: &TimeOfImpact) {
        self.add([found.time.unwrap_or(-1.0), found.free_until, found.closest_time, found.lower]);
        self.add_distance(&found.distance);
        self.add_bits(u64::from(found.iterations));
    }
}

/// SplitMix64, as in `StateSampler`.
struct Random(u64);

impl Random {
    /// In [0, 1).
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    fn vector(&mut self, reach: f64) -> Vec3 {
        Vec3::from([(); 3].map(|()| self.between(-reach, reach)))
    }

    fn pose(&mut self, reach: f64) -> Pose {
        let parts = [(); 4].map(|()| self.between(-1.0, 1.0));
        let [w, x, y, z] = parts;
        let rotation =
            nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
        Pose::from_parts(self.vector(reach).into(), rotation)
    }

    fn radii<const N: usize>(&mut self) -> [f64; N] {
        [(); N].map(|()| self.between(0.3, 1.2))
    }

    /// A shape of kind `k`.
    fn shape(&mut self, k: usize) -> Shape {
        let (xy, z) = (self.between(0.1, 1.8), self.between(0.1, 1.8));
        match k % 15 {
            0 => Shape::superellipsoid(self.radii(), xy, z),
            1 => Shape::superellipsoid(self.radii(), 0.5 + 0.4 * xy, 0.5 + 0.4 * z),
            2 => Shape::superovoid(self.radii(), 0.9, 0.8, [self.between(-0.2, 0.2); 2]),
            3 => Shape::superovoid(
                self.radii(),
                0.5 + 0.3 * xy,
                0.4 + 0.3 * z,
                [self.between(-0.3, 0.3), self.between(-0.3, 0.3)],
            ),
            4 => Shape::superovoid(
                self.radii(),
                xy,
                z,
                [self.between(-0.7, 0.7), self.between(-0.7, 0.7)],
            ),
            5 => Shape::ellipsoid(self.radii()),
            6 => Shape::sphere(self.between(0.3, 1.0)),
            7 => Shape::poly_ellipsoid(self.radii()),
            8 => Shape::cuboid(self.radii()),
            9 => Shape::cylinder(self.between(0.3, 1.0), self.between(0.3, 1.0)),
            10 => Shape::capsule(self.between(0.2, 0.6), self.between(0.2, 1.0)),
            11 => Shape::cone(self.between(0.3, 1.0), self.between(0.3, 1.0)),
            12 => Shape::convex_mesh(&[(); 24].map(|()| self.vector(1.0))),
            13 => self.shape(0).padded(0.1),
            _ => {
                let stretch = Mat3::from_columns(&[
                    self.vector(0.3) + Vec3::x(),
                    self.vector(0.3) + Vec3::y(),
                    self.vector(0.3) + Vec3::z(),
                ]);
                self.shape(1).mapped(&stretch)
            }
        }
        .expect("the numbers are within the limits of the shape")
    }
}

/// How many of each kind of question.
struct Questions {
    pairs: usize,
    certified: usize,
    motions: usize,
    states: usize,
    scene_motions: usize,
}

/// Asks each pair seven questions: distance, again from a warm start after a small motion, within, collision, point, batch,
/// gradient and curvature.
fn ask_pairs(count: usize, digest: &mut Digest) {
    let mut random = Random(1);
    let options = QueryOptions::default();
    let mut kept = Vec::new();
    for k in 0..count {
        let (a, b) = (random.shape(k), random.shape(k / 15 + k));
        // Apart mostly, and overlapping.
        let reach = if k % 3 == 0 { 0.5 } else { 1.8 };
        let (pose_a, pose_b) = (random.pose(reach), random.pose(reach));
        let found = distance(&a, &pose_a, &b, &pose_b, &options);
        digest.add_distance(&found);
        let moved = Pose::from_parts(
            (pose_b.translation.vector + random.vector(0.01)).into(),
            pose_b.rotation,
        );
        let query = PairQuery::new(&a, &pose_a, &b, &moved);
        digest.add_distance(&query.warm_start(&found.warm).distance());
        digest.add_within(&query.within(0.2));
        let collides = query.collides_within(0.05);
        digest.add_bits(collides.is_contact().into());
        let projection = point_distance(&a, &pose_a, &pose_b.translation.vector, &options);
        digest.add([projection.distance]);
        digest.add_vector(&projection.normal_w);
        let second = second_order(&a, &pose_a, &b, &pose_b, &found);
        digest.add(second.gradient_a.into_iter().chain(second.gradient_b));
        digest.add(distance_gradient(&pose_a, &pose_b, &found).concat());
        kept.push((a, pose_a, b, pose_b, found.warm));
    }
    let questions = kept.iter().map(|(a, pose_a, b, pose_b, warm)| PairQuestion {
        pair: PosedPair { a, pose_a, b, pose_b },
        threshold: 1.0,
        warm: *warm,
    });
    for_each_distance_within(questions, &options, |index, answer| {
        digest.add_bits(index as u64);
        digest.add_within(&answer);
    });
    digest.questions += 7 * count;
}

fn ask_certified_depths(count: usize, digest: &mut Digest) {
    let mut random = Random(2);
    for k in 0..count {
        let (a, b) = (random.shape(k), random.shape(k / 15 + k));
        let (pose_a, pose_b) = (random.pose(0.3), random.pose(0.3));
        digest.add_distance(&distance(&a, &pose_a, &b, &pose_b, &QueryOptions::certified()));
    }
    digest.questions += count;
}

fn ask_motions(count: usize, digest: &mut Digest) {
    let mut random = Random(3);
    for k in 0..count {
        let (a, b) = (random.shape(k), random.shape(k / 15 + k));
        let [start_a, end_a, start_b, end_b] = [(); 4].map(|()| random.pose(2.5));
        let goal = if k % 2 == 0 { MotionGoal::FirstContact } else { MotionGoal::ClosestApproach };
        let options = MotionOptions { goal, ..MotionOptions::default() };
        let motion_a = RigidMotion::between(&start_a, &end_a);
        let motion_b = ScrewMotion::between(&start_b, &end_b);
        digest.add_impact(&time_of_impact(&a, &motion_a, &b, &motion_b, &options));
    }
    digest.questions += count;
}

/// Random states of the bundled hands: whether they collide, the five nearest pairs and all within 1 cm; and motions between
/// them.
fn ask_scene(states: usize, motions: usize, digest: &mut Digest) {
    let model = bundled("icub_hands_mixed.urdf");
    let scene = PlanningScene::new(model.clone(), None).expect("the bundled robot makes a scene");
    let mut sampler = StateSampler::new(&model, 4);
    let mut ws = Workspace::cold();
    let mut out = Vec::new();
    let request = NearestRequest { max_results: 5, ..NearestRequest::default() };
    let within = NearestRequest { max_distance: 0.01, ..NearestRequest::default() };
    let mut gradient = Vec::new();
    for _ in 0..states {
        let state = sampler.draw();
        let hit = scene.in_collision(&state, &request.check, &mut ws).expect("a valid state");
        digest.add_bits(hit.into());
        scene.nearest(&state, &request, &mut ws, &mut out).expect("a valid state");
        for proximity in &out {
            digest.add_bits(u64::from(proximity.part_a) << 32 | u64::from(proximity.part_b));
            digest.add_distance(&proximity.distance);
            scene.gradient(&ws, proximity, &mut gradient);
            digest.add(gradient.iter().copied());
        }
        scene.nearest(&state, &within, &mut ws, &mut out).expect("a valid state");
        out.iter().for_each(|found| digest.add_distance(&found.distance));
    }
    for _ in 0..motions {
        let path = [sampler.draw(), sampler.draw()];
        let found = scene.check_motion(&path, &MotionRequest::default()).expect("valid states");
        digest.add([found.first_contact.unwrap_or(-1.0), found.free_until, found.closest_time]);
        found.closest.iter().for_each(|closest| digest.add_distance(&closest.distance));
    }
    digest.questions += 3 * states + motions;
}

fn digest(questions: &Questions) -> String {
    let mut lines = Vec::new();
    let mut part = |name: &str, ask: &dyn Fn(&mut Digest)| {
        let mut digest = Digest::new();
        ask(&mut digest);
        lines.push(format!("{name} {} {:016x}", digest.questions, digest.hash));
    };
    part("pairs", &|digest| ask_pairs(questions.pairs, digest));
    part("certified", &|digest| ask_certified_depths(questions.certified, digest));
    part("motions", &|digest| ask_motions(questions.motions, digest));
    part("scene", &|digest| ask_scene(questions.states, questions.scene_motions, digest));
    lines.join("\n")
}

/// Compares with the lines of the file that follow the heading.
fn assert_pinned(heading: &str, found: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/same_bits.txt");
    let text = std::fs::read_to_string(path).expect("the digests are part of the repository");
    let sections: Vec<(&str, &str)> = text
        .split("# ")
        .filter_map(|section| section.split_once('\n'))
        .map(|(heading, lines)| (heading, lines.trim()))
        .collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let section = |&(name, lines): &(&str, &str)| {
            format!("# {name}\n{}\n", if name == heading { found } else { lines })
        };
        let text: Vec<String> = sections.iter().map(section).collect();
        std::fs::write(path, text.join("\n")).expect("the file can be written");
        return;
    }
    let pinned = sections.iter().find(|(name, _)| *name == heading).expect("a section for it").1;
    assert_eq!(found, pinned, "the answers changed; see the comment at the top of this file");
}

#[test]
fn ten_thousand_answers_have_the_pinned_bits() {
    let questions =
        Questions { pairs: 1100, certified: 300, motions: 600, states: 400, scene_motions: 200 };
    let found = digest(&questions);
    assert_pinned("all questions", &found);
}

/// Few enough questions for an emulator.
#[test]
fn some_answers_have_the_pinned_bits() {
    let questions =
        Questions { pairs: 75, certified: 8, motions: 20, states: 10, scene_motions: 2 };
    assert_pinned("some questions", &digest(&questions));
}

/// This very program on CPUs of both makers, with AVX2 and FMA (Haswell, EPYC) and without (Nehalem, Opteron_G3).
#[cfg(all(feature = "external-tests", target_arch = "x86_64"))]
#[test]
fn emulated_cpus_of_both_makers_give_the_same_bits() {
    let program = std::env::current_exe().expect("the path of this program");
    for cpu in ["Haswell", "EPYC", "Nehalem", "Opteron_G3"] {
        let output = std::process::Command::new("qemu-x86_64")
            .args(["-cpu", cpu])
            .arg(&program)
            .args(["--exact", "same_bits::some_answers_have_the_pinned_bits"])
            .env_remove("UPDATE_GOLDEN")
            .output()
            .expect("qemu-x86_64 of Debian's qemu-user; tests/robots/install.sh installs it");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{cpu}:\n{text}");
    }
}
