//! The superquadric closest to points among which are outliers.
//!
//! 1. Many starts: the principal axes of the points, each of them as z; centre, and centres behind what is seen; ellipsoid,
//!    box and cylinder.
//! 2. A few rounds of [`Mixture::improved`] from each, on a part of the points.
//! 3. The best few are followed on more points.
//! 4. Switches ([Liu 2022], step S): surfaces that resemble the best but are far from it in the numbers, axes renamed or
//!    turned by 45°, are improved and taken if they are better; as long as one is.
//! 5. Of the kinds the one with the least score plus half a logarithm of the number of points for each free number (the
//!    Bayesian information criterion).
//! 6. A few more rounds for that one, on more points.
//!
//! The same points and seed give the same bits.

use super::mixture::{Data, Mixture, free_numbers};
use super::model::Model;
use super::tuning::{
    CONVERGED, FINAL_POINTS, FINAL_ROUNDS, FOLLOWED, POLISH_POINTS, POLISH_ROUNDS, SEARCH_POINTS,
    SEARCH_ROUNDS, START_EXPONENTS,
};
use crate::kind::SurfaceKind;
use crate::random::Random;
use crate::surface::FittedSurface;
use nalgebra::{Matrix3, Rotation3, SymmetricEigen, UnitQuaternion};
use smooth_scene_geometry::math::Vec3;

/// Least number of points for a surface: as many as a superovoid has numbers.
pub const MIN_POINTS: usize = 12;

/// Kinds that are fitted to points, the simplest first.
pub const FITTED_KINDS: [SurfaceKind; 4] = [
    SurfaceKind::Sphere,
    SurfaceKind::Ellipsoid,
    SurfaceKind::Superellipsoid,
    SurfaceKind::Superovoid,
];

/// How one surface is fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosestOptions {
    /// Kinds that may be chosen: sphere, ellipsoid, superellipsoid, superovoid. Others are not fitted to points.
    pub kinds: Vec<SurfaceKind>,
    /// Start of the random sequence that picks points of large clouds.
    pub seed: u64,
}

impl Default for ClosestOptions {
    /// Sphere, ellipsoid and superellipsoid.
    fn default() -> Self {
        let kinds = vec![SurfaceKind::Sphere, SurfaceKind::Ellipsoid, SurfaceKind::Superellipsoid];
        Self { kinds, seed: 1 }
    }
}

/// A surface through most of the points.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosestFit {
    /// The surface.
    pub surface: FittedSurface,
    /// Deviation of the points that belong to it, m.
    pub noise: f64,
    /// For each of the points the probability that it belongs to the surface.
    pub memberships: Vec<f64>,
    /// Mean distance of the points that more likely belong to it than not, weighted alike, m.
    pub mean_distance: f64,
}

/// Why points have no surface.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoFit {
    /// Fewer points than numbers of a surface.
    #[error("{0} points, at least {MIN_POINTS} are needed")]
    TooFewPoints(usize),
    /// All points in a plane, on a line or in one place.
    #[error("the points are flat")]
    Flat,
    /// No kind that can be fitted to points.
    #[error("kinds: must include sphere, ellipsoid, superellipsoid or superovoid")]
    NoKinds,
    /// A point that is not finite.
    #[error("point {0} is not finite")]
    NotFinite(usize),
    /// The best surface leaves out too much.
    #[error("the best surface explains {:.0} % of the points, must be {:.0} %", 100.0 * found, 100.0 * needed)]
    Unlike {
        /// Share of the points near the surface.
        found: f64,
        /// Share that is asked for.
        needed: f64,
    },
    /// The best surface is far from its points.
    #[error("the points are {noise:.2e} m from the best surface, must be at most {limit:.2e} m")]
    Rough {
        /// Deviation of the points that belong to it, m.
        noise: f64,
        /// Largest deviation that is accepted, m.
        limit: f64,
    },
    /// The best surface is much larger than what was seen.
    #[error("the best surface reaches {size:.3} m from its centre, its points only {extent:.3} m")]
    Large {
        /// Largest distance of the surface from its centre, m.
        size: f64,
        /// Largest distance of the points from theirs, m.
        extent: f64,
    },
    /// More groups than are fitted.
    #[error("only the {most} groups with the most points are fitted")]
    TooManyGroups {
        /// How many are fitted.
        most: usize,
    },
    /// Points too far apart from each other to be objects.
    #[error("no {least} points are near each other")]
    Scattered {
        /// Least number of points of an object.
        least: usize,
    },
    /// The caller ended the search.
    #[error("cancelled")]
    Cancelled,
    /// No start led to a surface that can exist.
    #[error("no start led to a surface: {0}")]
    NoSurface(String),
}

/// The surface closest to the points, outliers left out. Points and surface are in the same frame. `is_cancelled` is asked
/// before every descent, some hundred times.
pub fn fit_closest(
    points: &[Vec3],
    options: &ClosestOptions,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<ClosestFit, NoFit> {
    if let Some(k) = points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
        return Err(NoFit::NotFinite(k));
    }
    if points.len() < MIN_POINTS {
        return Err(NoFit::TooFewPoints(points.len()));
    }
    let mut random = Random::new(options.seed);
    let chosen = picked(points, FINAL_POINTS, &mut random);
    let frame = PointFrame::of(&chosen).ok_or(NoFit::Flat)?;
    let data = frame.data(&chosen);
    let few = picked(&chosen, SEARCH_POINTS, &mut random);
    let few = Data { points: &few, ..data };
    let kinds = FITTED_KINDS.into_iter().filter(|kind| options.kinds.contains(kind));
    let mut best: Option<(f64, SurfaceKind, Mixture)> = None;
    let mut failure = NoFit::NoKinds;
    for kind in kinds {
        let found = fit_kind(kind, &frame, &few, &data, is_cancelled)?;
        let numbers = free_numbers(kind).len() as f64;
        let score = found.score + 0.5 * numbers * libm::log(data.points.len() as f64);
        match found.model.shape() {
            Err(error) => failure = NoFit::NoSurface(error.to_string()),
            Ok(_) if !score.is_finite() => {
                failure = NoFit::NoSurface("none explains half of the points".into())
            }
            Ok(_) if best.as_ref().is_none_or(|(least, ..)| score < *least) => {
                best = Some((score, kind, found));
            }
            Ok(_) => {}
        }
    }
    let (_, kind, mixture) = best.ok_or(failure)?;
    // 6. The last digits from more points.
    let many = picked(points, POLISH_POINTS, &mut random);
    let many = Data { points: &many, ..data };
    let polished = mixture.improved(&many, &free_numbers(kind), POLISH_ROUNDS, CONVERGED);
    let is_good = polished.score.is_finite() && polished.model.shape().is_ok();
    let mixture = if is_good { polished } else { mixture };
    Ok(result(&mixture, &Data { points, ..data }))
}

fn result(mixture: &Mixture, all: &Data<'_>) -> ClosestFit {
    let memberships = mixture.memberships(all);
    let (mut sum, mut count) = (0.0, 0usize);
    for (point, _) in all.points.iter().zip(&memberships).filter(|(_, p)| **p > 0.5) {
        sum += mixture.model.residual(point).0.abs();
        count += 1;
    }
    let shape = mixture.model.shape().expect("the caller made this shape before");
    ClosestFit {
        surface: FittedSurface::at(&mixture.model.pose(), shape),
        noise: mixture.sigma,
        memberships,
        mean_distance: sum / count.max(1) as f64,
    }
}

/// Steps 1 to 4 for one kind.
fn fit_kind(
    kind: SurfaceKind,
    frame: &PointFrame,
    few: &Data<'_>,
    data: &Data<'_>,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Mixture, NoFit> {
    let free = free_numbers(kind);
    let improved = |start: Mixture, data: &Data<'_>, rounds: usize| match is_cancelled() {
        true => Err(NoFit::Cancelled),
        false => Ok(start.improved(data, &free, rounds, CONVERGED)),
    };
    let search = |start: Mixture| improved(start, few, SEARCH_ROUNDS);
    let follow = |start: &Mixture| improved(*start, data, FINAL_ROUNDS);
    let starts = frame.starts(kind).map(|model| search(Mixture::start(model, few)));
    let mut found = starts.collect::<Result<Vec<_>, _>>()?;
    found.sort_by(|a, b| a.score.total_cmp(&b.score));
    let followed = found.iter().take(FOLLOWED).map(follow).collect::<Result<Vec<_>, _>>()?;
    let mut best = best_of(followed).expect("there are starts");
    let has_exponents = matches!(kind, SurfaceKind::Superellipsoid | SurfaceKind::Superovoid);
    if !has_exponents {
        return Ok(best);
    }
    loop {
        // Compared on the few points, as the best one is.
        let start = |model: Model| Mixture { model, sigma: 2.0 * best.sigma, ..best };
        let tried = similar_models(&best.model).into_iter().map(|model| search(start(model)));
        let promising = best_of(tried.collect::<Result<Vec<_>, _>>()?);
        let better = follow(&promising.expect("some models look alike"))?;
        if better.score >= best.score - 1e-3 {
            return Ok(best);
        }
        best = better;
    }
}

/// The first of those with the least score.
fn best_of(found: Vec<Mixture>) -> Option<Mixture> {
    found.into_iter().min_by(|a, b| a.score.total_cmp(&b.score))
}

/// Models that look alike.
fn similar_models(model: &Model) -> Vec<Model> {
    let renamed = [model.with_axis_as_z(0), model.with_axis_as_z(1)];
    let duals = [*model, renamed[0], renamed[1]].map(|model| model.dual());
    renamed.into_iter().chain(duals).collect()
}

/// At most `most` of the points, without repetition.
fn picked(points: &[Vec3], most: usize, random: &mut Random) -> Vec<Vec3> {
    let mut points = points.to_vec();
    if points.len() > most {
        for k in 0..most {
            let other = k + random.below(points.len() - k);
            points.swap(k, other);
        }
        points.truncate(most);
    }
    points
}

/// Where most of the points are.
struct PointFrame {
    center: Vec3,
    /// Principal axes, the shortest last.
    axes: UnitQuaternion<f64>,
    /// Half the extent along each axis, between the 5th and the 95th percentile.
    half: Vec3,
    volume: f64,
}

impl PointFrame {
    /// From the three quarters of the points nearest to their middle; nothing when they are flat.
    fn of(points: &[Vec3]) -> Option<Self> {
        let mut kept = points.to_vec();
        let mut axes = UnitQuaternion::identity();
        let mut center = Vec3::zeros();
        for round in 0..4 {
            center = kept.iter().sum::<Vec3>() / kept.len() as f64;
            let spread = |p: &Vec3| (p - center) * (p - center).transpose();
            let covariance = kept.iter().map(spread).sum::<Matrix3<f64>>() / kept.len() as f64;
            let eigen = SymmetricEigen::new(covariance);
            let mut order = [0, 1, 2];
            order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
            let [long, middle, short] = order.map(|k| eigen.eigenvalues[k].max(0.0));
            if !(long.is_finite() && short > 1e-8 * long && middle > 0.0) {
                return None;
            }
            let x = eigen.eigenvectors.column(order[0]).into_owned();
            let y = eigen.eigenvectors.column(order[1]).into_owned();
            let matrix = Matrix3::from_columns(&[x, y, x.cross(&y)]);
            axes = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix));
            if round < 3 {
                let inverse = covariance.try_inverse()?;
                let far = |p: &Vec3| ((p - center).transpose() * inverse * (p - center))[0];
                kept = points.to_vec();
                kept.sort_by(|a, b| far(a).total_cmp(&far(b)));
                kept.truncate((3 * points.len()).div_ceil(4));
            }
        }
        let local: Vec<Vec3> =
            points.iter().map(|p| axes.inverse_transform_vector(&(p - center))).collect();
        let mut half = Vec3::zeros();
        let mut middle = Vec3::zeros();
        let mut volume = 1.0;
        for axis in 0..3 {
            let mut values: Vec<f64> = local.iter().map(|p| p[axis]).collect();
            values.sort_by(f64::total_cmp);
            let at = |share: f64| values[(share * (values.len() - 1) as f64) as usize];
            half[axis] = 0.5 * (at(0.95) - at(0.05));
            middle[axis] = 0.5 * (at(0.95) + at(0.05));
            volume *= at(1.0) - at(0.0);
        }
        (half.min() > 0.0).then(|| Self { center: center + axes * middle, axes, half, volume })
    }

    fn data<'a>(&self, points: &'a [Vec3]) -> Data<'a> {
        Data { points, size: self.half.max(), volume: self.volume }
    }

    /// The starts for a kind.
    fn starts(&self, kind: SurfaceKind) -> impl Iterator<Item = Model> {
        let exponents: &[[f64; 2]] = match kind {
            SurfaceKind::Superellipsoid | SurfaceKind::Superovoid => &START_EXPONENTS,
            _ => &START_EXPONENTS[..1],
        };
        let axes = if kind == SurfaceKind::Sphere { 2..3 } else { 0..3 };
        let is_sphere = kind == SurfaceKind::Sphere;
        let mut starts = Vec::new();
        for [exponent_xy, exponent_z] in exponents.iter().copied() {
            for axis in axes.clone() {
                // What is seen of half a body is shallow along one axis: the centre may lie behind it, on either side.
                for shift in [0.0, 0.7, -0.7] {
                    let radii = if is_sphere { Vec3::repeat(self.half.mean()) } else { self.half };
                    let depth = shift * self.half.z;
                    let radii = match shift == 0.0 || is_sphere {
                        true => radii,
                        false => Vec3::new(radii.x, radii.y, 1.7 * radii.z),
                    };
                    let model = Model {
                        center: self.center + self.axes * (Vec3::z() * depth),
                        rotation: self.axes,
                        radii,
                        // Swapped back by the renaming, which swaps them.
                        exponent_xy: if axis == 2 { exponent_xy } else { exponent_z },
                        exponent_z: if axis == 2 { exponent_z } else { exponent_xy },
                        taper: 0.0,
                    };
                    starts.push(if axis == 2 { model } else { model.with_axis_as_z(axis) });
                }
            }
        }
        starts.into_iter()
    }
}
