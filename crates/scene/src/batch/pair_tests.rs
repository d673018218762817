//! What is proven about one pair in eight states: capsules and balls around both apart, balls inside that overlap, and what
//! is certain of superquadrics.

use super::findings::Findings;
use super::lane_ball::LaneBall;
use super::lane_pose::splat;
use super::part::Part;
use super::prepared::{Prepared, Surface};
use crate::balls::MAX_BALLS;
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
    let (balls, inner_radii) = (&prepared.balls[..], &prepared.inner_radii[..]);
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
    // Balls of B that are near the whole of A, in which states.
    let (whole_a, radius_a) = (&findings.bounding[pair.a as usize], balls[a.bounding].radius);
    let (mut near_a, mut count) = ([(0, 0); MAX_BALLS], 0);
    for j in b.around.clone() {
        let limit = pair.reach.apart_beyond(balls[j].radius + radius_a);
        let states = open & within::<S>(distance_squared::<S>(&centers[j], whole_a), limit);
        if states != 0 {
            near_a[count] = (j, states);
            count += 1;
        }
    }
    let (whole_b, radius_b) = (&findings.bounding[pair.b as usize], balls[b.bounding].radius);
    let (mut near, mut touching) = (0, 0);
    for i in a.around.clone() {
        let limit = pair.reach.apart_beyond(balls[i].radius + radius_b);
        let near_b = open & within::<S>(distance_squared::<S>(&centers[i], whole_b), limit);
        for &(j, near_a) in &near_a[..count] {
            let states = near_b & near_a & !touching;
            if states == 0 {
                continue;
            }
            let square = distance_squared::<S>(&centers[i], &centers[j]);
            let apart = pair.reach.apart_beyond(balls[i].radius + balls[j].radius);
            near |= within::<S>(square, apart) & states;
            let inner = pair.reach.touching_within(inner_radii[i] + inner_radii[j]);
            touching |= within::<S>(square, inner) & states;
        }
        if touching == open {
            break;
        }
    }
    PairFound { touching, open: near & !touching }
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
    let (balls, inner_radii) = (&prepared.balls[..], &prepared.inner_radii[..]);
    findings.place::<S>(prepared, pair.surface as usize);
    let centers = &findings.centers[..];
    let (mut near, mut touching) = (0, 0);
    for i in surface.around.clone() {
        let square = part.distance_squared::<S>(&centers[i]);
        near |= within::<S>(square, pair.reach.apart_beyond(balls[i].radius)) & open;
        if part.inside.is_none() {
            let inner = pair.reach.touching_within(inner_radii[i]);
            touching |= within::<S>(square, inner) & open;
            if touching == open {
                break;
            }
        }
    }
    if let Some(inside) = &part.inside
        && near != 0
    {
        'all: for i in surface.around.clone() {
            for ball in inside {
                let limit = pair.reach.touching_within(inner_radii[i] + ball.radius);
                touching |=
                    within::<S>(fixed_distance_squared::<S>(&centers[i], ball), limit) & near;
                if touching == near {
                    break 'all;
                }
            }
        }
    }
    PairFound { touching, open: near & !touching }
}
