//! What is proven about one pair in eight states: capsules and balls around both apart, balls inside that overlap, and what
//! is certain of superquadrics.

use super::findings::Findings;
use super::lane_ball::LaneBall;
use super::lane_pose::splat;
use super::part::Part;
use super::prepared::{Prepared, Surface};
use smooth_scene_geometry::simd::{F32x8, Lanes, Simd, dot};
use smooth_scene_geometry::xyz;
use smooth_scene_query::certain_x8;

/// In which states a pair touches, and in which nothing is proven about it, as bits.
#[derive(Default)]
pub(super) struct PairFound {
    pub touching: u32,
    pub open: u32,
}

/// The states in which a square is at most a limit.
#[inline(always)]
pub(super) fn within<S: Simd>(distance_squared: S::F32x8, limit: f32) -> u32 {
    distance_squared.simd_le(S::F32x8::splat(limit.into())).to_bitmask()
}

/// Square of the distance of two points.
#[inline(always)]
pub(super) fn distance_squared<S: Simd>(a: &[F32x8; 3], b: &[F32x8; 3]) -> S::F32x8 {
    let apart = xyz!(|k| S::F32x8::from(b[k]) - S::F32x8::from(a[k]));
    dot(&apart, &apart)
}

/// Distance of centres from a ball that stands still.
#[inline(always)]
fn fixed_distance_squared<S: Simd>(centers: &[F32x8; 3], ball: &LaneBall) -> S::F32x8 {
    let center = splat::<S>(&ball.center);
    let apart = xyz!(|k| center[k] - S::F32x8::from(centers[k]));
    dot(&apart, &apart)
}

/// The states, of those that are open, in which a mask holds for one of the pairs. Closures would not be compiled for the
/// instruction set of the kernel.
macro_rules! any {
    ($open:expr, $i:ident in $one:expr, $j:ident in $other:expr => $mask:expr) => {{
        let (open, mut found) = ($open, 0);
        'all: for $i in $one {
            for $j in $other {
                found |= $mask & open;
                if found == open {
                    break 'all;
                }
            }
        }
        found
    }};
    ($open:expr, $i:ident in $one:expr => $mask:expr) => {{
        let (open, mut found) = ($open, 0);
        for $i in $one {
            found |= $mask & open;
            if found == open {
                break;
            }
        }
        found
    }};
}

/// A pair of the robot, of whose balls around the whole nothing is known in these states.
#[inline(always)]
pub(super) fn robot_pair<S: Simd>(
    prepared: &Prepared,
    place: usize,
    open: u32,
    findings: &mut Findings,
) -> PairFound {
    let pair = &prepared.robot_pairs[place];
    let a = &prepared.surfaces[pair.a as usize];
    let b = &prepared.surfaces[pair.b as usize];
    let balls = &prepared.balls[..];
    findings.place_capsule::<S>(prepared, pair.a as usize);
    findings.place_capsule::<S>(prepared, pair.b as usize);
    let [one, other] = [pair.a, pair.b].map(|k| &findings.capsules[k as usize]);
    let beyond = pair.reach.gap_beyond(a.radius + b.radius);
    let open = open & !capsules_apart::<S>([a, b], [one, other], beyond);
    if open == 0 {
        return PairFound::default();
    }
    if pair.margins.is_some() {
        return superquadrics::<S>(prepared, place, open, findings);
    }
    findings.place::<S>(prepared, pair.a as usize);
    findings.place::<S>(prepared, pair.b as usize);
    let centers = &findings.centers[..];
    let open = any!(open, i in a.around.clone(), j in b.around.clone() => {
        let limit = pair.reach.apart_beyond(balls[i].radius + balls[j].radius);
        within::<S>(distance_squared::<S>(&centers[i], &centers[j]), limit)
    });
    if open == 0 {
        return PairFound::default();
    }
    let touching = any!(open, i in a.inside.clone(), j in b.inside.clone() => {
        let limit = pair.reach.touching_within(balls[i].radius + balls[j].radius);
        within::<S>(distance_squared::<S>(&centers[i], &centers[j]), limit)
    });
    PairFound { touching, open: open & !touching }
}

/// The states in which two capsules have a gap along the line d between nearly the nearest points of their axes. With the
/// offset w of their middles and the half axes u and v it is (d·w − |d·u| − |d·v|)/|d| less their radii, whatever d is. The
/// rounding of these products, less than 2⁻²¹ of the offset and the axes, is within what the error of the centres allows for
/// the difference of two of them.
#[inline(always)]
fn capsules_apart<S: Simd>(
    [a, b]: [&Surface; 2],
    [[center_a, axis_a], [center_b, axis_b]]: [&[[F32x8; 3]; 2]; 2],
    beyond: f32,
) -> u32 {
    let offset = xyz!(|k| S::F32x8::from(center_b[k]) - S::F32x8::from(center_a[k]));
    let u = xyz!(|k| S::F32x8::from(axis_a[k]));
    let v = xyz!(|k| S::F32x8::from(axis_b[k]));
    let (along_u, along_v, cross) = (dot(&offset, &u), dot(&offset, &v), dot(&u, &v));
    let [squares_u, squares_v] = [a, b].map(|surface| surface.axis_square);
    let one = S::F32x8::splat(1.0);
    // Least |w + t·v − s·u|² for one of s and t after the other, each within ±1.
    let denominator = S::F32x8::splat((squares_u * squares_v).into()) - cross * cross;
    let s = (along_u * S::F32x8::splat(squares_v.into()) - along_v * cross)
        / denominator.max(S::F32x8::splat(f32::MIN_POSITIVE.into()));
    let s = s.min(one).max(-one);
    let t = (s * cross - along_v) * S::F32x8::splat(b.inverse_square.into());
    let t = t.min(one).max(-one);
    let s = t.mul_add(cross, along_u) * S::F32x8::splat(a.inverse_square.into());
    let s = s.min(one).max(-one);
    let d = xyz!(|k| offset[k] + (t * v[k] - s * u[k]));
    let needed = dot(&d, &d).sqrt() * S::F32x8::splat(beyond.into());
    let gap = dot(&d, &offset) - dot(&d, &u).abs() - dot(&d, &v).abs();
    gap.simd_gt(needed).to_bitmask()
}

/// A pair of superquadrics.
#[inline(always)]
fn superquadrics<S: Simd>(
    prepared: &Prepared,
    place: usize,
    open: u32,
    findings: &mut Findings,
) -> PairFound {
    let pair = &prepared.robot_pairs[place];
    let [a, b] = [pair.a as usize, pair.b as usize];
    let surfaces = [&prepared.surfaces[a], &prepared.surfaces[b]];
    let (Some(one), Some(other), Some(margins)) =
        (&surfaces[0].solid, &surfaces[1].solid, &pair.margins)
    else {
        return PairFound { touching: 0, open };
    };
    findings.place_shape::<S>(prepared, a);
    findings.place_shape::<S>(prepared, b);
    let (rotation, offset) = findings.shapes[a].sees::<S>(&findings.shapes[b]);
    let found = certain_x8::<S>([one, other], margins, &rotation, &offset, open);
    let touching = found.touching & open;
    PairFound { touching, open: open & !touching & !found.apart }
}

/// A surface of the robot and a part of the world; the same.
#[inline(always)]
pub(super) fn world_pair<S: Simd>(
    prepared: &Prepared,
    place: usize,
    open: u32,
    findings: &mut Findings,
) -> PairFound {
    let pair = &prepared.world_pairs[place];
    let surface = &prepared.surfaces[pair.surface as usize];
    let part: &Part = &prepared.parts[pair.part as usize];
    let balls = &prepared.balls[..];
    findings.place::<S>(prepared, pair.surface as usize);
    let centers = &findings.centers[..];
    let open = any!(open, i in surface.around.clone() => {
        let limit = pair.reach.apart_beyond(balls[i].radius);
        within::<S>(part.distance_squared::<S>(&centers[i]), limit)
    });
    if open == 0 {
        return PairFound::default();
    }
    let touching = match &part.inside {
        None => any!(open, i in surface.inside.clone() => {
            let limit = pair.reach.touching_within(balls[i].radius);
            within::<S>(part.distance_squared::<S>(&centers[i]), limit)
        }),
        Some(inside) => any!(open, i in surface.inside.clone(), ball in inside => {
            let limit = pair.reach.touching_within(balls[i].radius + ball.radius);
            within::<S>(fixed_distance_squared::<S>(&centers[i], ball), limit)
        }),
    };
    PairFound { touching, open: open & !touching }
}
