//! The separation function of two superquadrics, on lanes: both bodies at two directions in one evaluation.

use crate::solve::core_shape::CoreShape;
use crate::solve::separation::{Bend, Separation, SeparationFunction, SeparationJet, times};
use crate::solve::starts::{Start, Starts};
use crate::superquadric::dent_samples::{HullSamples, MiddleSection};
use crate::superquadric::profile_lanes::{
    Bodies, Foretold, Highest, LAST_STEP, LaneJets, Parameters, ProfileStart, SectionHeight,
};
use crate::superquadric::survey::peaks;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3, tangent_basis};
use smooth_scene_geometry::{ConvexSurface, Dent, Shape};
use std::cell::Cell;
use wide::f64x4;

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
    bodies: Bodies<f64x4>,
    kind: Kind,
    frame: FrameOfB,
    /// What the last evaluation foretells about the next, of tapered bodies.
    foretold: Cell<Foretold<f64x4>>,
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
        let foretold = Cell::new(Foretold::nothing());
        Some(Self { shapes: [a, b], parameters: [pa, pb], bodies, kind, frame, foretold })
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
        let Self { shapes, parameters, bodies, frame, .. } = *self;
        let foretold = Cell::new(Foretold::nothing());
        Some(Self { shapes, parameters, bodies, frame, kind: Kind::Smoothed, foretold })
    }

    /// f at a direction, if it is proven that the samples of a dented body missed nothing there.
    pub fn proven_value(&self, normal: &Vec3) -> Option<f64> {
        let Kind::Hull(samples) = &self.kind else { return Some(self.at(normal).value) };
        let jets = self.hull_jets(normal, samples);
        let (value, point) = (jets.value.to_array(), lanes_of(&jets.point));
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
        let edge = |value: fn(Dent) -> f64| {
            let [a, b] = dents.map(|dent| dent.map_or(0.5, value));
            f64x4::new([a, b, a, b])
        };
        let side = f64x4::new([1.0, 1.0, -1.0, -1.0]);
        let (w, rho) = (edge(|dent| dent.w), edge(|dent| dent.rho));
        let dirs = self.directions([normal, normal]);
        let SectionHeight { reach, fall, share } =
            self.bodies.section_height(dirs, w * side, rho, edge(|dent| dent.sigma) * side);
        let climb = self.bodies.radii[2] * dirs[2] * w * side;
        let highest = (climb + (reach - climb) / rho).to_array();
        let (fall, share) = (fall.to_array(), share.to_array());
        let clear = [0, 1].map(|body| {
            let Some(dent) = dents[body] else { return false };
            let w = z[body] / self.bodies.radii[2].to_array()[body];
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
    fn directions(&self, n: [&Vec3; 2]) -> [f64x4; 3] {
        let (b0, b1) = (self.frame.turned_into_b(n[0]), self.frame.turned_into_b(n[1]));
        interleave(n[0], &-b0, n[1], &-b1)
    }

    /// The jets of the lanes, and whether they are rough.
    #[inline(always)]
    fn lane_jets(&self, dirs: [f64x4; 3], last_step: f64) -> (LaneJets<f64x4>, bool) {
        if matches!(self.kind, Kind::Straight) {
            return (self.bodies.straight(dirs), false);
        }
        let mut foretold = self.foretold.get();
        let highest = match self.kind {
            Kind::EvenlyTapered => self.bodies.evenly_tapered(dirs, &mut foretold, last_step),
            _ => self.bodies.tapered_foretold(dirs, &mut foretold, last_step),
        };
        self.foretold.set(foretold);
        let exact = f64x4::splat(1.001 * LAST_STEP) * highest.sigma.abs();
        let is_rough = last_step > LAST_STEP && !highest.shift.abs().simd_le(exact).all();
        (self.or_scalar(dirs, highest), is_rough)
    }

    #[inline(always)]
    fn tapered(&self, dirs: [f64x4; 3], start: &ProfileStart<f64x4>) -> LaneJets<f64x4> {
        self.or_scalar(dirs, self.bodies.tapered(dirs, start))
    }

    #[inline(always)]
    fn or_scalar(&self, dirs: [f64x4; 3], highest: Highest<f64x4>) -> LaneJets<f64x4> {
        let mut jets = highest.jets;
        if !highest.settled.all() {
            self.replace_by_scalar(dirs, &mut jets);
        }
        jets
    }

    /// The rare lanes whose height search did not end: value and point from the scalar search, which always does.
    #[cold]
    fn replace_by_scalar(&self, dirs: [f64x4; 3], jets: &mut LaneJets<f64x4>) {
        let dirs = dirs.map(|d| d.to_array());
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
        jets.value = f64x4::new(value);
        jets.point = point.map(f64x4::new);
    }

    /// Where the maxima over height lie along two directions when a body stands for its hull: for each direction, the
    /// first candidate of A and of B, and the second.
    fn hull_brackets<const N: usize>(
        &self,
        n: [&Vec3; N],
        samples: &[Option<HullSamples>; 2],
    ) -> [TwoStarts; N] {
        let dirs = self.directions([n[0], n[N - 1]]);
        let middle = self.bodies.middle(dirs);
        let start = middle.start().sigma.to_array();
        let [norm, share, rate, climb] =
            [middle.norm, middle.share, middle.rate, middle.climb].map(|lane| lane.to_array());
        std::array::from_fn(|k| {
            let mut starts = TwoStarts {
                first: [0, 1].map(|body| [start[2 * k + body], -f64::MAX, f64::MAX]),
                second: [0, 1].map(|body| [start[2 * k + body], -f64::MAX, f64::MAX]),
                is_double: false,
            };
            for (body, samples) in samples.iter().enumerate() {
                let Some(samples) = samples else { continue };
                let dir = if body == 0 { *n[k] } else { -self.frame.turned_into_b(n[k]) };
                let lane = 2 * k + body;
                let brackets = samples.brackets(&MiddleSection {
                    dir,
                    norm: norm[lane],
                    share: share[lane],
                    rate: rate[lane],
                    climb: climb[lane],
                });
                [starts.first[body], starts.second[body]] = brackets.two;
                starts.is_double |= brackets.is_double;
            }
            starts
        })
    }

    /// Two directions when a body stands for its hull. Where each body has one candidate for its highest point both
    /// directions share an evaluation.
    #[inline(never)]
    fn hull_jets_of_two(
        &self,
        n: [&Vec3; 2],
        samples: &[Option<HullSamples>; 2],
    ) -> [SeparationJet; 2] {
        let starts = self.hull_brackets(n, samples);
        if starts.iter().any(|starts| starts.is_double) {
            return [0, 1].map(|k| {
                let jets = self.higher_of_two(n[k], &starts[k]);
                self.assemble([n[k], n[k]], &self.directions([n[k], n[k]]), &jets, false)[0]
            });
        }
        let start = profile_start([
            starts[0].first[0],
            starts[0].first[1],
            starts[1].first[0],
            starts[1].first[1],
        ]);
        let dirs = self.directions(n);
        self.assemble(n, &dirs, &self.tapered(dirs, &start), false)
    }

    /// One direction when a body stands for its hull.
    #[inline(never)]
    fn hull_jets(&self, normal: &Vec3, samples: &[Option<HullSamples>; 2]) -> LaneJets<f64x4> {
        let [starts] = self.hull_brackets([normal], samples);
        self.higher_of_two(normal, &starts)
    }

    /// The lanes hold the two candidates of each body for its highest point, and the higher result of each is copied
    /// over the other.
    fn higher_of_two(&self, normal: &Vec3, starts: &TwoStarts) -> LaneJets<f64x4> {
        let dirs = self.directions([normal, normal]);
        let start =
            profile_start([starts.first[0], starts.first[1], starts.second[0], starts.second[1]]);
        let jets = self.tapered(dirs, &start);
        let value = jets.value.to_array();
        let pick = |lane: f64x4| {
            let lane = lane.to_array();
            let a = if value[2] > value[0] { lane[2] } else { lane[0] };
            let b = if value[3] > value[1] { lane[3] } else { lane[1] };
            f64x4::new([a, b, a, b])
        };
        LaneJets {
            value: pick(jets.value),
            point: jets.point.map(pick),
            alpha: pick(jets.alpha),
            t: jets.t.map(pick),
            beta: pick(jets.beta),
            s: jets.s.map(pick),
        }
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
    fn assemble(
        &self,
        n: [&Vec3; 2],
        dirs: &[f64x4; 3],
        jets: &LaneJets<f64x4>,
        is_rough: bool,
    ) -> [SeparationJet; 2] {
        // Each Hessian is projected in its own frame: the tangent vectors are turned, not the matrices.
        let basis = [tangent_basis(n[0]), tangent_basis(n[1])];
        let [(u0, v0), (u1, v1)] = &basis;
        let frame = &self.frame;
        let u = interleave(u0, &frame.turned_into_b(u0), u1, &frame.turned_into_b(u1));
        let v = interleave(v0, &frame.turned_into_b(v0), v1, &frame.turned_into_b(v1));
        let LaneJets { t, s, alpha, beta, .. } = jets;
        let (tu, tv) = (t[0] * u[0] + t[1] * u[1], t[0] * v[0] + t[1] * v[1]);
        let su = s[0] * u[0] + s[1] * u[1] + s[2] * u[2];
        let sv = s[0] * v[0] + s[1] * v[1] + s[2] * v[2];
        let (at, bs) = (*alpha * tu, *beta * su);
        let uu = (at * tu + bs * su).to_array();
        let uv = (at * tv + bs * sv).to_array();
        let vv = (*alpha * tv * tv + *beta * sv * sv).to_array();
        let value = jets.value.to_array();
        let point = lanes_of(&jets.point);
        let [x, y, z] = dirs.map(|c| c.abs());
        let least = x.fast_min(y).fast_min(z).to_array();
        let jet = |k: usize| {
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
        };
        [jet(0), jet(1)]
    }
}

/// Start, lower and upper end of a search for a height, two for each of two bodies.
struct TwoStarts {
    first: [[f64; 3]; 2],
    second: [[f64; 3]; 2],
    /// Whether a body has two candidates.
    is_double: bool,
}

fn profile_start(lanes: [[f64; 3]; 4]) -> ProfileStart<f64x4> {
    let lane = |k: usize| f64x4::new(lanes.map(|bracket| bracket[k]));
    ProfileStart { sigma: lane(0), low: lane(1), high: lane(2), last_step: LAST_STEP }
}

/// The components of four vectors, one vector per lane.
#[inline(always)]
fn interleave(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> [f64x4; 3] {
    [
        f64x4::new([a.x, b.x, c.x, d.x]),
        f64x4::new([a.y, b.y, c.y, d.y]),
        f64x4::new([a.z, b.z, c.z, d.z]),
    ]
}

#[inline(always)]
fn lanes_of(v: &[f64x4; 3]) -> [[f64; 4]; 3] {
    [v[0].to_array(), v[1].to_array(), v[2].to_array()]
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
        let jets = match &self.kind {
            Kind::Hull(samples) => self.hull_jets(normal, samples),
            _ => self.lane_jets(self.directions([normal, normal]), LAST_STEP).0,
        };
        self.separation(normal, &jets.value.to_array(), &lanes_of(&jets.point), 0)
    }

    #[inline]
    fn jet(&self, normal: &Vec3) -> SeparationJet {
        let dirs = self.directions([normal, normal]);
        let jets = match &self.kind {
            Kind::Hull(samples) => self.hull_jets(normal, samples),
            _ => self.lane_jets(dirs, LAST_STEP).0,
        };
        self.assemble([normal, normal], &dirs, &jets, false)[0]
    }

    #[inline]
    fn jets(&self, normals: [&Vec3; 2]) -> [SeparationJet; 2] {
        // After no step nothing may be rough.
        self.jets_after(0.0, normals)
    }

    #[inline]
    fn jets_after(&self, step: f64, normals: [&Vec3; 2]) -> [SeparationJet; 2] {
        if let Kind::Hull(samples) = &self.kind {
            return self.hull_jets_of_two(normals, samples);
        }
        let last_step = (ROUGHNESS * step).clamp(LAST_STEP, ROUGHEST);
        let dirs = self.directions(normals);
        let (jets, is_rough) = self.lane_jets(dirs, last_step);
        self.assemble(normals, &dirs, &jets, is_rough)
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
        let outward = self.bodies.outward(interleave(&point_a, &point_b, &point_a, &point_b));
        let [x, y, z] = lanes_of(&outward);
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
        let peaks = peaks(bodies, rotation_ab, &self.frame.offset, size);
        for (k, start) in peaks.starts(rotation_ab).enumerate() {
            if k < peaks.hopeful() { starts.add(start) } else { starts.add_other(start) }
        }
        Some(starts)
    }

    fn foresee(&self, starts: [&Start; 2]) {
        let [Some(one), Some(other)] = starts.map(|start| start.slopes) else { return };
        let dirs = self.directions(starts.map(|start| &start.normal));
        let sigma = f64x4::new([one[0], one[1], other[0], other[1]]);
        self.foretold.set(Foretold::only(dirs, sigma));
    }

    fn inside_both(&self, point: &Vec3) -> f64 {
        let point_b = self.point_in_b(point);
        let inside = self.bodies.log_inside(interleave(point, &point_b, point, &point_b));
        let [a, b, ..] = inside.to_array();
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
            assert!((x.at.value - y.at.value).abs() < 1e-13, "{a:?} {b:?} {n:?} {x:?} {y:?}");
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
