//! How well are superquadrics found in synthetic clouds with noise and outliers?
//!
//! `fit_clouds [CLOUDS [FIRST_SEED]]` prints the errors of this crate. `fit_clouds CLOUDS FIRST_SEED write DIR` writes the
//! clouds as `SET_SEED.xyz`; `fit_clouds CLOUDS FIRST_SEED score FILE` prints the errors of surfaces that another program
//! found in them: a line `SET_SEED exponent_z exponent_xy a b c r11 r12 … r33 x y z` for each.
//!
//! A cloud has 1000 points spread evenly over a superellipsoid (radii 5 to 15 cm, exponents 0.1 to 1.9, any pose), or over the
//! half of it that faces a camera in a random direction; normal noise in all directions of 2 % of the mean radius; and 250
//! points anywhere in a box 1.5 times as large as that of the others: 20 % of all.
//!
//! The error of a surface is the mean distance from points spread evenly over the true surface, all of it, to the found one
//! and back, over the mean radius. A cloud counts as recalled when it is below 5 %.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use smooth_scene_fit::DistanceTree;
use smooth_scene_fit::cloud::{ClosestOptions, fit_closest};
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};
use smooth_scene_geometry::{ConvexSurface, Shape, tessellate};
use smooth_scene_test_support::families::Rng;

const POINTS: usize = 1000;
const OUTLIERS: usize = 250;
const NOISE: f64 = 0.02;
const RECALLED: f64 = 0.05;
const SETS: [&str; 2] = ["whole", "half"];

type Failure = Box<dyn std::error::Error>;

fn normal_vector(random: &mut Rng) -> Vec3 {
    Vec3::new(random.normal(), random.normal(), random.normal())
}

/// A surface in the world.
struct Surface {
    shape: Shape,
    pose: Pose,
}

impl Surface {
    /// Triangles of it.
    fn triangles(&self) -> Vec<[Vec3; 3]> {
        let mesh = tessellate(&self.shape, 1e-3 * self.shape.bounding_radius());
        let place =
            |k: u32| self.pose.rotation * mesh.vertices[k as usize] + self.pose.translation.vector;
        mesh.triangles.iter().map(|triangle| triangle.map(place)).collect()
    }
}

fn area([a, b, c]: &[Vec3; 3]) -> f64 {
    0.5 * (b - a).cross(&(c - a)).norm()
}

/// Points spread evenly over triangles.
fn spread(triangles: &[[Vec3; 3]], count: usize, random: &mut Rng) -> Vec<Vec3> {
    let mut ends = Vec::with_capacity(triangles.len());
    let mut total = 0.0;
    for triangle in triangles {
        total += area(triangle);
        ends.push(total);
    }
    let one = |random: &mut Rng| {
        let at = random.uniform(0.0, total);
        let [a, b, c] = &triangles[ends.partition_point(|end| *end <= at).min(ends.len() - 1)];
        let (mut u, mut v) = (random.unit(), random.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        a + (b - a) * u + (c - a) * v
    };
    (0..count).map(|_| one(random)).collect()
}

/// The truth and its cloud.
fn cloud(set: &str, seed: u64) -> (Surface, Vec<Vec3>) {
    let mut random = Rng::new(seed.wrapping_mul(2).wrapping_add(u64::from(set == "half")));
    let radii = [0; 3].map(|_| random.uniform(0.05, 0.15));
    let exponents = [0; 2].map(|_| random.uniform(0.1, 1.9));
    let shape = Shape::superellipsoid(radii, exponents[0], exponents[1]).expect("all in range");
    let axis = random.direction();
    let rotation = rotation_from_vector(&(axis * random.uniform(0.0, std::f64::consts::PI)));
    let center = normal_vector(&mut random);
    let truth = Surface { shape, pose: Pose::from_parts(center.into(), rotation) };
    let camera = random.direction();
    let mut triangles = truth.triangles();
    if set == "half" {
        triangles.retain(|[a, b, c]| (b - a).cross(&(c - a)).dot(&camera) > 0.0);
    }
    let deviation = NOISE * radii.iter().sum::<f64>() / 3.0;
    let mut points = spread(&triangles, POINTS, &mut random);
    points.iter_mut().for_each(|point| *point += normal_vector(&mut random) * deviation);
    let low = points.iter().fold(points[0], |low, point| low.inf(point));
    let high = points.iter().fold(points[0], |high, point| high.sup(point));
    for _ in 0..OUTLIERS {
        let share = Vec3::new(random.unit(), random.unit(), random.unit());
        let share = (share - Vec3::repeat(0.5)) * 1.5 + Vec3::repeat(0.5);
        points.push(low + share.component_mul(&(high - low)));
    }
    // In no order that tells which is which.
    for k in (1..points.len()).rev() {
        let other = (random.unit() * (k + 1) as f64) as usize;
        points.swap(k, other.min(k));
    }
    (truth, points)
}

/// Mean distance both ways over the mean radius.
fn error(truth: &Surface, found: &Surface, seed: u64) -> f64 {
    let mut random = Rng::new(seed ^ 0xABCD);
    let Shape::Superellipsoid(shape) = &truth.shape else { unreachable!("see `cloud`") };
    let size = shape.radii().iter().sum::<f64>() / 3.0;
    let (a, b) = (truth.triangles(), found.triangles());
    let mut mean = |from: &[[Vec3; 3]], to: &[[Vec3; 3]]| {
        let tree = DistanceTree::new(to);
        let points = spread(from, 2000, &mut random);
        points.iter().map(|point| tree.distance(point)).sum::<f64>() / points.len() as f64
    };
    0.5 * (mean(&a, &b) + mean(&b, &a)) / size
}

fn print(set: &str, errors: &[f64], micros: &[f64]) {
    let mut sorted = errors.to_vec();
    sorted.sort_by(f64::total_cmp);
    let recalled = errors.iter().filter(|error| **error < RECALLED).count();
    let count = errors.len() as f64;
    println!(
        "{set:6} {} clouds: mean error {:.2} %, median {:.2} %, worst {:.1} %, recall {:.0} %{}",
        errors.len(),
        100.0 * errors.iter().sum::<f64>() / count,
        100.0 * sorted[errors.len() / 2],
        100.0 * sorted[errors.len() - 1],
        100.0 * recalled as f64 / count,
        match micros.is_empty() {
            true => String::new(),
            false => format!(", {:.0} ms a cloud", 1e-3 * micros.iter().sum::<f64>() / count),
        }
    );
}

fn ours(points: &[Vec3]) -> Option<Surface> {
    let fit = fit_closest(points, &ClosestOptions::default(), &|| false).ok()?;
    Some(Surface { pose: fit.surface.pose(), shape: fit.surface.shape })
}

/// Surfaces that another program found.
fn theirs(file: &str) -> Result<HashMap<String, Surface>, Failure> {
    let mut found = HashMap::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let (name, rest) = line.split_once(' ').ok_or("no name")?;
        let n: Vec<f64> = rest.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        if n.len() != 17 {
            return Err(format!("{name}: {} numbers", n.len()).into());
        }
        let rotation = Rotation3::from_matrix_unchecked(Matrix3::from_row_slice(&n[5..14]));
        let pose = Pose::from_parts(
            Vec3::new(n[14], n[15], n[16]).into(),
            UnitQuaternion::from_rotation_matrix(&rotation),
        );
        // Ours are more particular about sharp edges and needles; nothing that changes a distance.
        let largest = n[2].max(n[3]).max(n[4]);
        let radii = [n[2], n[3], n[4]].map(|radius| radius.max(1e-3 * largest));
        let [z, xy] = [n[0], n[1]].map(|exponent| exponent.clamp(0.01, 1.99));
        found.insert(name.into(), Surface { shape: Shape::superellipsoid(radii, xy, z)?, pose });
    }
    Ok(found)
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: u64| {
        arguments.get(place).map_or(Ok(default), |text| text.parse::<u64>())
    };
    let (clouds, first) = (number(0, 100)?, number(1, 1)?);
    let task = arguments.get(2).map(String::as_str);
    let file = arguments.get(3).map(String::as_str);
    let others = match (task, file) {
        (Some("score"), Some(file)) => Some(theirs(file)?),
        (Some("write") | None, _) => None,
        (Some(other), _) => return Err(format!("`{other}`: write DIR or score FILE").into()),
    };
    for set in SETS {
        let (mut errors, mut micros) = (Vec::new(), Vec::new());
        for seed in first..first + clouds {
            let name = format!("{set}_{seed}");
            let (truth, points) = cloud(set, seed);
            if let (Some("write"), Some(folder)) = (task, file) {
                let path = Path::new(folder).join(format!("{name}.xyz"));
                let mut text = std::io::BufWriter::new(std::fs::File::create(path)?);
                for point in &points {
                    writeln!(text, "{} {} {}", point.x, point.y, point.z)?;
                }
                continue;
            }
            let found = match &others {
                Some(others) => {
                    others.get(&name).map(|s| Surface { shape: s.shape.clone(), pose: s.pose })
                }
                None => {
                    let begin = Instant::now();
                    let found = ours(&points);
                    micros.push(begin.elapsed().as_secs_f64() * 1e6);
                    found
                }
            };
            // What is not found is as far off as it is large.
            let error = found.map_or(1.0, |found| error(&truth, &found, seed));
            errors.push(error);
        }
        if !errors.is_empty() {
            print(set, &errors, &micros);
        }
    }
    Ok(())
}
