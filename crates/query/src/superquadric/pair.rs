//! The separation function of two superquadrics, on lanes: both bodies at two directions in one evaluation.

use crate::solve::core_shape::CoreShape;
use crate::solve::separation::{Bend, Separation, SeparationFunction, SeparationJet, times};
use crate::solve::starts::{Start, Starts};
use crate::superquadric::dent_samples::{HullSamples, MiddleSection};
use crate::superquadric::profile_lanes::{
    Bodies, Highest, LAST_STEP, LaneJets, Parameters, Predicted, ProfileStart, SectionHeight,
};
use crate::superquadric::survey::peaks;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3, tangent_basis};
use smooth_scene_geometry::simd::{F64x4, Kernel, Lanes, Level, Simd};
use smooth_scene_geometry::{ConvexSurface, Dent, Shape, xyz};
use std::cell::Cell;

/// Bodies with a smaller exponent are nearly boxes: a long bent step may lead past one maximum to a lower one close by.
const BOX: f64 = 0.15;
/// Height of a dent, in semi-axes, up to which it is shallow.
const SHALLOW: f64 = 0.2;

/// How rough a jet may be, as [`ProfileStart::last_step`]: so many times the step in radians that led to its direction, and
/// at most so much.
const ROUGHNESS: f64 = 0.1;
const ROUGHEST: f64 = 1e-2;

/// Two superellipsoids, superovoids or ellipsoids. Lanes are A, B at one direction and A, B at another.
pub(crate) struct SuperquadricPair<'a> {
    shapes: [&'a Shape; 2],
    parameters: [Parameters; 2],
    level: Level,
    bodies: Bodies<F64x4>,
    kind: Kind,
    frame: FrameOfB,
    /// What the last evaluation foretells about the next, of tapered bodies.
    predicted: Cell<Predicted<F64x4>>,
}

/// Where B is in the frame of A.
#[derive(Clone, Copy)]
struct FrameOfB {
    rotation_ab: Mat3,
    offset: Vec3,
}

impl FrameOfB {
    /// Turns a vector from the frame of A into that of B.
    #[inline(always)]
    fn turned_into_b(&self, v: &Vec3) -> Vec3 {
        self.rotation_ab.tr_mul(v)
    }
}

enum Kind {
    /// Both without taper.
    Straight,
    /// At least one tapered, x and y alike, both convex.
    EvenlyTapered,
    /// At least one tapered, both convex.
    Tapered,
    /// At least one has a shallow dent, which is overlooked.
    Smoothed,
    /// At least one is not convex and stands for its hull.
    Hull([Option<HullSamples>; 2]),
}

impl<'a> SuperquadricPair<'a> {
    /// `None` unless both shapes are superquadrics and at least one is not a plain ellipsoid.
    pub fn new(a: &CoreShape<'a>, b: &CoreShape<'a>, pose_ab: &Pose) -> Option<Self> {
        let (CoreShape::Surface(a), CoreShape::Surface(b)) = (a, b) else { return None };
        let (pa, pb) = (parameters(a)?, parameters(b)?);
        let kind = if !(a.is_convex() && b.is_convex()) {
            let samples = |shape: &Shape, p| (!shape.is_convex()).then(|| HullSamples::new(p));
            Kind::Hull([samples(a, &pa), samples(b, &pb)])
        } else if pa.taper == [0.0; 2] && pb.taper == [0.0; 2] {
            Kind::Straight
        } else if pa.taper[0] == pa.taper[1] && pb.taper[0] == pb.taper[1] {
            Kind::EvenlyTapered
        } else {
            Kind::Tapered
        };
        let frame = FrameOfB {
            rotation_ab: pose_ab.rotation.to_rotation_matrix().into_inner(),
            offset: pose_ab.translation.vector,
        };
        let bodies = Bodies::new([&pa, &pb, &pa, &pb]);
        let predicted = Cell::new(Predicted::nothing());
        let level = Level::detect();
        Some(Self { shapes: [a, b], parameters: [pa, pb], level, bodies, kind, frame, predicted })
    }

    /// Whether every value is the proven maximum over the bodies; sampled sections of a dented body are not.
    pub fn is_proven(&self) -> bool {
        !matches!(self.kind, Kind::Hull(_) | Kind::Smoothed)
    }

    /// The pair as if its bodies were convex, if one is not and what the dents take off is too little to mistake one
    /// maximum for another. Its f is that of the hulls or, next to a dent, a little higher, and its points are points of
    /// the bodies: a maximum of it at which f is that of the hulls is one of theirs.
    pub fn smoothed(&self) -> Option<Self> {
        let is_shallow = |shape: &&Shape| match shape {
            Shape::Superovoid(ovoid) => {
                ovoid.is_convex() || ovoid.dent().is_some_and(|dent| dent.w < SHALLOW)
            }
            _ => true,
        };
        if self.is_proven() || !self.shapes.iter().all(is_shallow) {
            return None;
        }
        let Self { shapes, parameters, level, bodies, frame, .. } = *self;
        let predicted = Cell::new(Predicted::nothing());
        Some(Self { shapes, parameters, level, bodies, frame, kind: Kind::Smoothed, predicted })
    }

    /// f at a direction, if it is proven that the samples of a dented body missed nothing there.
    pub fn proven_value(&self, normal: &Vec3) -> Option<f64> {
        let Kind::Hull(samples) = &self.kind else { return Some(self.at(normal).value) };
        let jets = self.hull_jets(normal, samples);
        let (value, point) = (jets.value.0, arrays(&jets.point));
        let proven = self.proves([value[0], value[1]], [point[2][0], point[2][1]], normal);
        proven.then(|| self.separation(normal, &value, &point, 0).value)
    }

    /// Whether two points, in the frame of A, are proven to be support points along a direction, B's along the opposite one,
    /// given that the bodies are tangent to the direction there.
    pub fn proves_points(&self, normal: &Vec3, [point_a, point_b]: [&Vec3; 2]) -> bool {
        let point_b = self.point_in_b(point_b);
        let reach = [normal.dot(point_a), -self.frame.turned_into_b(normal).dot(&point_b)];
        self.proves(reach, [point_a.z, point_b.z], normal)
    }

    pub fn point_in_b(&self, point: &Vec3) -> Vec3 {
        self.frame.turned_into_b(&(point - self.frame.offset))
    }

    /// Whether nothing of either body reaches farther along a direction (B along the opposite one) than `reach`, which
    /// is reached at the stationary heights `z`, each in the frame of its body.
    pub fn proves(&self, reach: [f64; 2], z: [f64; 2], normal: &Vec3) -> bool {
        let clear = self.nothing_across_the_dents(normal, reach, z);
        let dirs = [*normal, -self.frame.turned_into_b(normal)];
        self.shapes.iter().enumerate().all(|(body, shape)| match shape {
            Shape::Superovoid(ovoid) if !ovoid.is_convex() => {
                let w = z[body] / ovoid.radii()[2];
                clear[body] || ovoid.is_highest(&dirs[body], w, reach[body])
            }
            _ => true,
        })
    }

    /// For each body, whether a look at the edges of its dent proves that nothing is higher than the maximum found: at the
    /// edges of the dents along all directions, then at those along this one.
    fn nothing_across_the_dents(&self, normal: &Vec3, top: [f64; 2], z: [f64; 2]) -> [bool; 2] {
        let ovoids = self.shapes.map(|shape| match shape {
            Shape::Superovoid(ovoid) => Some(ovoid),
            _ => None,
        });
        let dents = ovoids.map(|ovoid| ovoid.and_then(|ovoid| ovoid.dent()));
        let (clear, mixed) = self.nothing_across(normal, top, z, dents);
        if [0, 1].iter().all(|&body| clear[body] || dents[body].is_none()) {
            return clear;
        }
        let narrow = [0, 1].map(|body| ovoids[body].and_then(|ovoid| ovoid.dent_of(mixed[body])));
        let (clear_of_narrow, _) = self.nothing_across(normal, top, z, narrow);
        [0, 1].map(|body| clear[body] || clear_of_narrow[body])
    }

    /// For each body, whether nothing is higher than the maximum found beyond the edges ±w of a dent or between them, and the
    /// largest λ(1 − λ) between them.
    ///
    /// Beyond either edge g is concave, so that the maximum found is the only one on its side, and there is none on the
    /// other side if g rises towards the dent there. In between g ≤ c·w + N(w), which is convex and so highest at an edge.
    fn nothing_across(
        &self,
        normal: &Vec3,
        top: [f64; 2],
        z: [f64; 2],
        dents: [Option<Dent>; 2],
    ) -> ([bool; 2], [f64; 2]) {
        let DentEdges { highest, fall, share } =
            self.level.run(LookAtDents { pair: self, normal, dents });
        let clear = [0, 1].map(|body| {
            let Some(dent) = dents[body] else { return false };
            let w = z[body] / self.bodies.radii[2].0[body];
            let rises = if w > 0.0 { fall[body + 2] <= 0.0 } else { fall[body] >= 0.0 };
            w.abs() > dent.w && rises && highest[body].max(highest[body + 2]) <= top[body]
        });
        // λ changes in one sense with the height.
        let mixed = [0, 1].map(|body| {
            let [up, down] = [share[body], share[body + 2]];
            let crosses = (up - 0.5) * (down - 0.5) <= 0.0;
            if crosses { 0.25 } else { (up * (1.0 - up)).max(down * (1.0 - down)) }
        });
        (clear, mixed)
    }

    /// Directions of the four lanes: n in A and −n in B, for both normals.
    #[inline(always)]
    fn directions(&self, n: [&Vec3; 2]) -> [F64x4; 3] {
        let (b0, b1) = (self.frame.turned_into_b(n[0]), self.frame.turned_into_b(n[1]));
        interleave(n[0], &-b0, n[1], &-b1)
    }

    #[inline(always)]
    fn bodies<S: Simd>(&self) -> Bodies<S::F64x4> {
        self.bodies.map(
            #[inline(always)]
            |stored| stored.into(),
        )
    }

    /// The jets of the lanes, and whether they are rough.
    #[inline(always)]
    fn lane_jets<S: Simd>(&self, dirs: &[F64x4; 3], last_step: f64) -> (LaneJets<S::F64x4>, bool) {
        let (bodies, on_lanes) = (self.bodies::<S>(), load::<S>(dirs));
        if matches!(self.kind, Kind::Straight) {
            return (bodies.straight(on_lanes), false);
        }
        let mut predicted = self.predicted.get().map(
            #[inline(always)]
            |stored| stored.into(),
        );
        let highest = match self.kind {
            Kind::EvenlyTapered => bodies.evenly_tapered(on_lanes, &mut predicted, last_step),
            _ => bodies.tapered_predicted(on_lanes, &mut predicted, last_step),
        };
        self.predicted.set(predicted.map(
            #[inline(always)]
            |lanes| lanes.into(),
        ));
        let exact = S::F64x4::splat(1.001 * LAST_STEP) * highest.sigma.abs();
        let is_rough = last_step > LAST_STEP && !highest.shift.abs().simd_le(exact).all();
        (self.or_scalar::<S>(dirs, highest), is_rough)
    }

    #[inline(always)]
    fn or_scalar<S: Simd>(
        &self,
        dirs: &[F64x4; 3],
        highest: Highest<S::F64x4>,
    ) -> LaneJets<S::F64x4> {
        let mut jets = highest.jets;
        if !highest.settled.all() {
            let (value, point) = self.scalar_support(dirs);
            jets.value = value.into();
            jets.point = load::<S>(&point);
        }
        jets
    }

    /// The rare lanes whose height search did not end: value and point from the scalar search, which always does.
    #[cold]
    fn scalar_support(&self, dirs: &[F64x4; 3]) -> (F64x4, [F64x4; 3]) {
        let dirs = dirs.map(|d| d.0);
        let mut value = [0.0; 4];
        let mut point = [[0.0; 4]; 3];
        for lane in 0..4 {
            let dir = Vec3::new(dirs[0][lane], dirs[1][lane], dirs[2][lane]);
            let support = self.shapes[lane % 2].support(&dir);
            value[lane] = support.value;
            for (lanes, x) in point.iter_mut().zip(support.point.iter()) {
                lanes[lane] = *x;
            }
        }
        (F64x4(value), point.map(F64x4))
    }

    /// Where the maxima over height lie along two directions when a body stands for its hull: for each direction, the
    /// first candidate of A and of B, and the second.
    #[inline(always)]
    fn hull_brackets<S: Simd, const N: usize>(
        &self,
        n: [&Vec3; N],
        samples: &[Option<HullSamples>; 2],
    ) -> [TwoStarts; N] {
        let dirs = self.directions([n[0], n[N - 1]]);
        let middle = self.bodies::<S>().middle(load::<S>(&dirs));
        let F64x4(start) = middle.start().sigma.into();
        let (F64x4(norm), F64x4(share)) = (middle.norm.into(), middle.share.into());
        let (F64x4(rate), F64x4(climb)) = (middle.rate.into(), middle.climb.into());
        let mut all = [TwoStarts::default(); N];
        for (k, starts) in all.iter_mut().enumerate() {
            *starts = TwoStarts {
                first: [0, 1].map(|body| [start[2 * k + body], -f64::MAX, f64::MAX]),
                second: [0, 1].map(|body| [start[2 * k + body], -f64::MAX, f64::MAX]),
                is_double: false,
            };
            for (body, samples) in samples.iter().enumerate() {
                let Some(samples) = samples else { continue };
                let dir = if body == 0 { *n[k] } else { -self.frame.turned_into_b(n[k]) };
                let lane = 2 * k + body;
                let brackets = samples.brackets::<S>(&MiddleSection {
                    dir,
                    norm: norm[lane],
                    share: share[lane],
                    rate: rate[lane],
                    climb: climb[lane],
                });
                [starts.first[body], starts.second[body]] = brackets.two;
                starts.is_double |= brackets.is_double;
            }
        }
        all
    }

    /// Two directions when a body stands for its hull. Where each body has one candidate for its highest point both
    /// directions share an evaluation.
    fn hull_jets_of_two(
        &self,
        n: [&Vec3; 2],
        samples: &[Option<HullSamples>; 2],
    ) -> [SeparationJet; 2] {
        let starts = self.level.run(HullBrackets { pair: self, normals: n, samples });
        if starts.iter().any(|starts| starts.is_double) {
            return [0, 1].map(|k| self.assembled(n[k], &self.higher_of_two(n[k], &starts[k])));
        }
        let [[a0, b0], [a1, b1]] = starts.map(|starts| starts.first);
        let dirs = self.directions(n);
        let jets = self.level.run(Tapered { pair: self, dirs, starts: [a0, b0, a1, b1] });
        self.level.run(Assemble { pair: self, normals: n, dirs, jets })
    }

    /// One direction when a body stands for its hull.
    fn hull_jets(&self, normal: &Vec3, samples: &[Option<HullSamples>; 2]) -> LaneJets<F64x4> {
        let [starts] = self.level.run(HullBrackets { pair: self, normals: [normal], samples });
        self.higher_of_two(normal, &starts)
    }

    /// The lanes hold the two candidates of each body for its highest point, and the higher result of each is copied
    /// over the other.
    fn higher_of_two(&self, normal: &Vec3, starts: &TwoStarts) -> LaneJets<F64x4> {
        let dirs = self.directions([normal, normal]);
        let ([a0, b0], [a1, b1]) = (starts.first, starts.second);
        let jets = self.level.run(Tapered { pair: self, dirs, starts: [a0, b0, a1, b1] });
        let value = jets.value.0;
        jets.map(|F64x4(lanes)| {
            let a = if value[2] > value[0] { lanes[2] } else { lanes[0] };
            let b = if value[3] > value[1] { lanes[3] } else { lanes[1] };
            F64x4([a, b, a, b])
        })
    }

    /// The jet at one direction, from its lanes.
    fn assembled(&self, normal: &Vec3, jets: &LaneJets<F64x4>) -> SeparationJet {
        let normals = [normal, normal];
        let dirs = self.directions(normals);
        let [jet, _] = self.level.run(Assemble { pair: self, normals, dirs, jets: *jets });
        jet
    }

    /// Puts the lanes of one direction (`first` = 0 or 2) together.
    #[inline(always)]
    fn separation(
        &self,
        normal: &Vec3,
        value: &[f64; 4],
        point: &[[f64; 4]; 3],
        first: usize,
    ) -> Separation {
        let (second, frame) = (first + 1, &self.frame);
        let point_b = Vec3::new(point[0][second], point[1][second], point[2][second]);
        Separation {
            value: normal.dot(&frame.offset) - value[first] - value[second],
            point_a: Vec3::new(point[0][first], point[1][first], point[2][first]),
            point_b: frame.offset + frame.rotation_ab * point_b,
        }
    }

    #[inline(always)]
    fn assemble<S: Simd>(
        &self,
        n: [&Vec3; 2],
        dirs: &[F64x4; 3],
        jets: &LaneJets<S::F64x4>,
        is_rough: bool,
    ) -> [SeparationJet; 2] {
        // Each Hessian is projected in its own frame: the tangent vectors are turned, not the matrices.
        let basis = [tangent_basis(n[0]), tangent_basis(n[1])];
        let [(u0, v0), (u1, v1)] = &basis;
        let frame = &self.frame;
        let u = interleave(u0, &frame.turned_into_b(u0), u1, &frame.turned_into_b(u1));
        let v = interleave(v0, &frame.turned_into_b(v0), v1, &frame.turned_into_b(v1));
        let (u, v) = (load::<S>(&u), load::<S>(&v));
        let LaneJets { t, s, alpha, beta, .. } = jets;
        let (tu, tv) = (t[0] * u[0] + t[1] * u[1], t[0] * v[0] + t[1] * v[1]);
        let su = s[0] * u[0] + s[1] * u[1] + s[2] * u[2];
        let sv = s[0] * v[0] + s[1] * v[1] + s[2] * v[2];
        let (at, bs) = (*alpha * tu, *beta * su);
        let F64x4(uu) = (at * tu + bs * su).into();
        let F64x4(uv) = (at * tv + bs * sv).into();
        let F64x4(vv) = (*alpha * tv * tv + *beta * sv * sv).into();
        let F64x4(value) = jets.value.into();
        let point = arrays(&store::<S>(&jets.point));
        let [x, y, z] = load::<S>(dirs);
        let F64x4(least) = x.abs().min(y.abs()).min(z.abs()).into();
        [0, 1].map(|k| {
            let (first, second) = (2 * k, 2 * k + 1);
            SeparationJet {
                normal: *n[k],
                at: self.separation(n[k], &value, &point, first),
                basis: basis[k],
                radii: [uu[first] + uu[second], uv[first] + uv[second], vv[first] + vv[second]],
                radii_a: [uu[first], uv[first], vv[first]],
                is_rough,
                clearance: least[first].min(least[second]),
            }
        })
    }
}

/// f at one direction, of bodies that are convex or taken as such.
struct Value<'p, 'a> {
    pair: &'p SuperquadricPair<'a>,
    normal: &'p Vec3,
}

impl Kernel for Value<'_, '_> {
    type Output = Separation;

    #[inline(always)]
    fn run<S: Simd>(self) -> Separation {
        let Self { pair, normal } = self;
        let (jets, _) = pair.lane_jets::<S>(&pair.directions([normal, normal]), LAST_STEP);
        let F64x4(value) = jets.value.into();
        pair.separation(normal, &value, &arrays(&store::<S>(&jets.point)), 0)
    }
}

/// The jets at two directions, of bodies that are convex or taken as such.
struct Jets<'p, 'a> {
    pair: &'p SuperquadricPair<'a>,
    normals: [&'p Vec3; 2],
    last_step: f64,
}

impl Kernel for Jets<'_, '_> {
    type Output = [SeparationJet; 2];

    #[inline(always)]
    fn run<S: Simd>(self) -> [SeparationJet; 2] {
        let Self { pair, normals, last_step } = self;
        let dirs = pair.directions(normals);
        let (jets, is_rough) = pair.lane_jets::<S>(&dirs, last_step);
        pair.assemble::<S>(normals, &dirs, &jets, is_rough)
    }
}

/// [`SuperquadricPair::hull_brackets`] on lanes.
struct HullBrackets<'p, 'a, const N: usize> {
    pair: &'p SuperquadricPair<'a>,
    normals: [&'p Vec3; N],
    samples: &'p [Option<HullSamples>; 2],
}

impl<const N: usize> Kernel for HullBrackets<'_, '_, N> {
    type Output = [TwoStarts; N];

    #[inline(always)]
    fn run<S: Simd>(self) -> [TwoStarts; N] {
        self.pair.hull_brackets::<S, N>(self.normals, self.samples)
    }
}

/// The jets of tapered bodies, from a start and a bracket of the slope on each lane.
struct Tapered<'p, 'a> {
    pair: &'p SuperquadricPair<'a>,
    dirs: [F64x4; 3],
    starts: [[f64; 3]; 4],
}

impl Kernel for Tapered<'_, '_> {
    type Output = LaneJets<F64x4>;

    #[inline(always)]
    fn run<S: Simd>(self) -> LaneJets<F64x4> {
        let Self { pair, dirs, starts } = self;
        let [sigma, low, high] =
            load::<S>(&xyz!(|k| F64x4(starts.map(|bracket: [f64; 3]| bracket[k]))));
        let start = ProfileStart { sigma, low, high, last_step: LAST_STEP };
        let highest = pair.bodies::<S>().tapered(load::<S>(&dirs), &start);
        pair.or_scalar::<S>(&dirs, highest).map(
            #[inline(always)]
            |lanes| lanes.into(),
        )
    }
}

/// [`SuperquadricPair::assemble`] on lanes.
struct Assemble<'p, 'a> {
    pair: &'p SuperquadricPair<'a>,
    normals: [&'p Vec3; 2],
    dirs: [F64x4; 3],
    jets: LaneJets<F64x4>,
}

impl Kernel for Assemble<'_, '_> {
    type Output = [SeparationJet; 2];

    #[inline(always)]
    fn run<S: Simd>(self) -> [SeparationJet; 2] {
        let jets = self.jets.map(
            #[inline(always)]
            |stored| stored.into(),
        );
        self.pair.assemble::<S>(self.normals, &self.dirs, &jets, false)
    }
}

/// The sections at the edges of a dent of each body; the upper edges of A and of B, then the lower ones.
struct DentEdges {
    /// c·w + N(w).
    highest: [f64; 4],
    /// As in [`SectionHeight`].
    fall: [f64; 4],
    share: [f64; 4],
}

struct LookAtDents<'p, 'a> {
    pair: &'p SuperquadricPair<'a>,
    normal: &'p Vec3,
    dents: [Option<Dent>; 2],
}

impl Kernel for LookAtDents<'_, '_> {
    type Output = DentEdges;

    #[inline(always)]
    fn run<S: Simd>(self) -> DentEdges {
        let Self { pair, normal, dents } = self;
        let at = |value: fn(Dent) -> f64| {
            let [a, b] = dents.map(|dent| dent.map_or(0.5, value));
            F64x4([a, b, a, b])
        };
        let edges = [at(|dent| dent.w), at(|dent| dent.rho), at(|dent| dent.sigma)];
        let [w, rho, sigma] = load::<S>(&edges);
        let side = S::F64x4::from(F64x4([1.0, 1.0, -1.0, -1.0]));
        let (bodies, dirs) = (pair.bodies::<S>(), load::<S>(&pair.directions([normal, normal])));
        let SectionHeight { reach, fall, share } =
            bodies.section_height(dirs, w * side, rho, sigma * side);
        let climb = bodies.radii[2] * dirs[2] * w * side;
        let F64x4(highest) = (climb + (reach - climb) / rho).into();
        let (F64x4(fall), F64x4(share)) = (fall.into(), share.into());
        DentEdges { highest, fall, share }
    }
}

/// [`Bodies::outward`] at a point of A and one of B.
struct Outward<'p> {
    bodies: &'p Bodies<F64x4>,
    points: [&'p Vec3; 2],
}

impl Kernel for Outward<'_> {
    type Output = [[f64; 4]; 3];

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Output {
        let bodies = self.bodies.map(
            // A closure, because a path cannot be `inline(always)`.
            #[allow(clippy::redundant_closure)]
            #[inline(always)]
            |stored| S::F64x4::from(stored),
        );
        let [a, b] = self.points;
        arrays(&store::<S>(&bodies.outward(load::<S>(&interleave(a, b, a, b)))))
    }
}

/// [`Bodies::log_inside`] at a point of A and one of B.
struct LogInside<'p> {
    bodies: &'p Bodies<F64x4>,
    points: [&'p Vec3; 2],
}

impl Kernel for LogInside<'_> {
    type Output = [f64; 4];

    #[inline(always)]
    fn run<S: Simd>(self) -> [f64; 4] {
        let bodies = self.bodies.map(
            // A closure, because a path cannot be `inline(always)`.
            #[allow(clippy::redundant_closure)]
            #[inline(always)]
            |stored| S::F64x4::from(stored),
        );
        let [a, b] = self.points;
        let F64x4(inside) = bodies.log_inside(load::<S>(&interleave(a, b, a, b))).into();
        inside
    }
}

/// Start, lower and upper end of a search for a height, two for each of two bodies.
#[derive(Clone, Copy, Default)]
struct TwoStarts {
    first: [[f64; 3]; 2],
    second: [[f64; 3]; 2],
    /// Whether a body has two candidates.
    is_double: bool,
}

/// The components of four vectors, one vector per lane.
#[inline(always)]
fn interleave(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> [F64x4; 3] {
    xyz!(|i| F64x4([a[i], b[i], c[i], d[i]]))
}

#[inline(always)]
fn load<S: Simd>(stored: &[F64x4; 3]) -> [S::F64x4; 3] {
    xyz!(|i| stored[i].into())
}

#[inline(always)]
fn store<S: Simd>(lanes: &[S::F64x4; 3]) -> [F64x4; 3] {
    xyz!(|i| lanes[i].into())
}

#[inline(always)]
fn arrays(stored: &[F64x4; 3]) -> [[f64; 4]; 3] {
    xyz!(|i| stored[i].0)
}

/// What the lanes need to know about a shape, if it is a superquadric.
pub(crate) fn parameters(shape: &Shape) -> Option<Parameters> {
    match shape {
        Shape::Superellipsoid(s) => Some(s.into()),
        Shape::Superovoid(s) => Some(s.into()),
        Shape::Ellipsoid(s) => Some(Parameters {
            radii: s.radii(),
            exponent_xy: 1.0,
            exponent_z: 1.0,
            taper: [0.0; 2],
        }),
        _ => None,
    }
}

impl SeparationFunction for SuperquadricPair<'_> {
    fn proves_its_values(&self) -> bool {
        self.is_proven()
    }

    fn is_makeshift(&self) -> bool {
        matches!(self.kind, Kind::Smoothed)
    }

    fn has_spare_lanes(&self) -> bool {
        !matches!(self.kind, Kind::Hull(_))
    }

    #[inline]
    fn at(&self, normal: &Vec3) -> Separation {
        let Kind::Hull(samples) = &self.kind else {
            return self.level.run(Value { pair: self, normal });
        };
        let jets = self.hull_jets(normal, samples);
        self.separation(normal, &jets.value.0, &arrays(&jets.point), 0)
    }

    #[inline]
    fn jet(&self, normal: &Vec3) -> SeparationJet {
        if let Kind::Hull(samples) = &self.kind {
            return self.assembled(normal, &self.hull_jets(normal, samples));
        }
        let [jet, _] =
            self.level.run(Jets { pair: self, normals: [normal, normal], last_step: LAST_STEP });
        jet
    }

    #[inline]
    fn jets(&self, normals: [&Vec3; 2]) -> [SeparationJet; 2] {
        // A zero step requires exact jets.
        self.jets_after(0.0, normals)
    }

    #[inline]
    fn jets_after(&self, step: f64, normals: [&Vec3; 2]) -> [SeparationJet; 2] {
        if let Kind::Hull(samples) = &self.kind {
            return self.hull_jets_of_two(normals, samples);
        }
        let last_step = (ROUGHNESS * step).clamp(LAST_STEP, ROUGHEST);
        self.level.run(Jets { pair: self, normals, last_step })
    }

    /// The normals of the implicit surfaces at p + W_A δ and q − W_B δ. The level sets of an implicit surface are alike, so that
    /// a point beside the surface tells the direction, too.
    ///
    /// That of the body that is flatter along δ; or both as steps x_A and x_B put together so that each counts where it is
    /// flat, (W_A + W_B) x = W_A x_A + W_B x_B.
    fn bent_step(&self, jet: &SeparationJet, delta: [f64; 2], bend: Bend) -> Option<Vec3> {
        let is_box = |p: &Parameters| p.exponent_xy.min(p.exponent_z) < BOX;
        if self.parameters.iter().any(is_box) {
            return None;
        }
        let radii_b = jet.radii_b();
        let (moved_a, moved_b) = (times(jet.radii_a, delta), times(radii_b, delta));
        let point_a = jet.at.point_a + jet.tangent(moved_a);
        let point_b = self.point_in_b(&(jet.at.point_b - jet.tangent(moved_b)));
        let points = [&point_a, &point_b];
        let [x, y, z] = self.level.run(Outward { bodies: &self.bodies, points });
        let normal_a = Vec3::new(x[0], y[0], z[0]);
        let normal_b = -(self.frame.rotation_ab * Vec3::new(x[1], y[1], z[1]));
        let bent = match bend {
            Bend::OfTheFlatter => {
                let along = |moved: [f64; 2]| moved[0] * delta[0] + moved[1] * delta[1];
                if along(moved_a) >= along(moved_b) { normal_a } else { normal_b }
            }
            Bend::OfBoth => {
                let step = |normal: Vec3| {
                    let ahead = normal.dot(&jet.normal);
                    [normal.dot(&jet.basis.0) / ahead, normal.dot(&jet.basis.1) / ahead]
                };
                let (a, b) = (times(jet.radii_a, step(normal_a)), times(radii_b, step(normal_b)));
                let (sum, [xx, xy, yy]) = ([a[0] + b[0], a[1] + b[1]], jet.radii);
                let inverse = 1.0 / (xx * yy - xy * xy);
                let x = (yy * sum[0] - xy * sum[1]) * inverse;
                let y = (xx * sum[1] - xy * sum[0]) * inverse;
                jet.normal + jet.tangent([x, y])
            }
        };
        let length = bent.norm();
        (length > 0.0 && length.is_finite()).then(|| bent / length)
    }

    fn peaks(&self, rotation_ab: &Mat3, size: f64) -> Option<Starts> {
        let bodies = [&self.parameters[0], &self.parameters[1]];
        let mut starts = Starts::new(0);
        let peaks = peaks(self.level, bodies, rotation_ab, &self.frame.offset, size);
        for (k, start) in peaks.starts(rotation_ab).enumerate() {
            if k < peaks.promising() { starts.add(start) } else { starts.add_other(start) }
        }
        Some(starts)
    }

    fn foresee(&self, starts: [&Start; 2]) {
        let [Some(one), Some(other)] = starts.map(|start| start.slopes) else { return };
        let dirs = self.directions(starts.map(|start| &start.normal));
        let sigma = F64x4([one[0], one[1], other[0], other[1]]);
        self.predicted.set(Predicted::only(dirs, sigma));
    }

    fn inside_both(&self, point: &Vec3) -> f64 {
        let point_b = self.point_in_b(point);
        let points = [point, &point_b];
        let [a, b, ..] = self.level.run(LogInside { bodies: &self.bodies, points });
        a.max(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::surface_pair::SurfacePair;
    use nalgebra::{Translation3, UnitQuaternion};
    use smooth_scene_geometry::Superovoid;

    /// Deterministic numbers in [0, 1).
    fn uniform(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn lanes_agree_with_the_scalar_support_functions() {
        let mut state = 3;
        let mut u = move || uniform(&mut state);
        for case in 0..4000 {
            let mut shape = || -> Shape {
                let radii = [0.5 + u(), 0.5 + u(), 0.5 + u()];
                let (xy, z) = (0.02 + 1.96 * u(), 0.02 + 1.96 * u());
                let taper = match case % 4 {
                    0 => [0.0; 2],
                    1 => [0.3 * (u() - 0.5); 2],
                    _ => [1.8 * (u() - 0.5), 1.8 * (u() - 0.5)],
                };
                Superovoid::new(radii, xy, z, taper).unwrap().into()
            };
            let (a, b) = (shape(), shape());
            let pose = Pose::from_parts(
                Translation3::new(u(), u(), u()),
                UnitQuaternion::from_euler_angles(6.0 * u(), 6.0 * u(), 6.0 * u()),
            );
            let cores = (CoreShape::Surface(&a), CoreShape::Surface(&b));
            let fast = SuperquadricPair::new(&cores.0, &cores.1, &pose).unwrap();
            let slow = SurfacePair::new(cores.0, cores.1, &pose);
            let n = Vec3::new(u() - 0.5, u() - 0.5, u() - 0.5).normalize();
            let (x, y) = (fast.jet(&n), slow.jet(&n));
            // The scalar value of a dented body is a proven bound; its points may give a little more.
            let attained = n.dot(&y.at.gradient());
            let within = y.at.value - 1e-13..attained + 1e-13;
            assert!(within.contains(&x.at.value), "{a:?} {b:?} {n:?} {x:?} {y:?}");
            if a.is_convex() && b.is_convex() {
                let error = (x.at.gradient() - y.at.gradient()).norm();
                assert!(error < 1e-6, "{error} {a:?} {b:?} {n:?}");
                for k in 0..3 {
                    let scale = 1.0 + y.radii.iter().fold(0f64, |m, r| m.max(r.abs()));
                    assert!(
                        (x.radii[k] - y.radii[k]).abs() < 1e-5 * scale,
                        "{x:?} {y:?} {a:?} {b:?}"
                    );
                }
            }
        }
    }
}
