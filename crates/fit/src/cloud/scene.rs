//! A cloud of a scene → objects: robot, table, groups of points, one surface for each group.
//!
//! 1. Points on the robot's own surfaces are dropped.
//! 2. Large clouds are thinned: the mean of the points of each cell of a grid.
//! 3. The table is the largest plane, if it has enough points; its object is the hull of its points, and a little below them.
//! 4. The other points fall into groups that are apart from each other.
//! 5. Every group becomes the surface closest to its points, or with a reason their hull. Groups with too few points are counted
//!    and left out; a cloud with no other ones and no table becomes one hull.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::closest::{ClosestOptions, FITTED_KINDS, NoFit};
use super::error::CloudError;
use super::grid::{clusters, thinned};
use super::object::{FoundObject, hull, hull_object, object};
use super::plane::{FoundPlane, largest_plane};
use super::self_filter::without_robot;
use crate::measure::Placed;
use crate::random::Random;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Vec3;

/// Most points after thinning, unless a grid is asked for.
const MAX_THINNED: usize = 60_000;
/// The finest grid that is chosen, m.
const FINEST_GRID: f64 = 0.002;
/// Largest coordinate of a point of a scene, m: far above any scene, and a table below it still has a mesh.
const MAX_COORDINATE: f64 = 1e5;
/// Steps between neighbouring points of a table, in steps between neighbouring points of an object.
const TABLE_GAPS: f64 = 3.0;

/// How objects are found.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneOptions {
    /// Edge of the cells in which points are averaged, m. Without it clouds of more than 60 000 points are thinned to fewer.
    pub grid: Option<f64>,
    /// Distance between groups of points, m; points nearer than that belong together.
    pub gap: f64,
    /// Distance of points of the table from its plane, m.
    pub table_reach: f64,
    /// Share of the points that a plane must have to be a table; above 1 for no table.
    pub table_share: f64,
    /// Thickness of the table, m.
    pub table_thickness: f64,
    /// Least number of points of an object; smaller groups are counted and left out.
    pub min_points: usize,
    /// Share of its points that a surface must explain.
    pub explained: f64,
    /// Distance from the robot within which points are its own, m.
    pub robot_padding: f64,
    /// Most groups that are fitted, those with the most points first; the others become hulls.
    pub max_fits: usize,
    /// How one surface is fitted.
    pub closest: ClosestOptions,
}

impl Default for SceneOptions {
    /// For a table with objects of 3 to 50 cm, seen by a depth camera.
    fn default() -> Self {
        Self {
            grid: None,
            gap: 0.02,
            table_reach: 0.008,
            table_share: 0.2,
            table_thickness: 0.02,
            min_points: 20,
            explained: 0.7,
            robot_padding: 0.02,
            max_fits: 200,
            closest: ClosestOptions::default(),
        }
    }
}

impl SceneOptions {
    /// Refuses numbers outside their range and kinds that are not fitted to points.
    pub fn check(&self) -> Result<(), CloudError> {
        let number = |field, value: f64, range, is_good: bool| match is_good {
            true => Ok(()),
            false => Err(CloudError::BadOption { field, value, range }),
        };
        let length = |field, value: f64| {
            number(field, value, "in [1e-5, 1000] m", (1e-5..=1e3).contains(&value))
        };
        self.grid.map_or(Ok(()), |grid| length("grid", grid))?;
        length("gap", self.gap)?;
        length("table_reach", self.table_reach)?;
        length("table_thickness", self.table_thickness)?;
        let padding = self.robot_padding;
        number("robot_padding", padding, "in [0, 10] m", (0.0..=10.0).contains(&padding))?;
        number("table_share", self.table_share, "above 0", self.table_share > 0.0)?;
        let explained = self.explained;
        number("explained", explained, "in [0, 1]", (0.0..=1.0).contains(&explained))?;
        match self.closest.kinds.iter().find(|kind| !FITTED_KINDS.contains(kind)) {
            Some(kind) => Err(CloudError::BadKind { kind: kind.name() }),
            None => Ok(()),
        }
    }
}

/// The table of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundTable {
    /// Its plane; the normal points to the side with more of the other points.
    pub plane: FoundPlane,
    /// The hull of its points in the plane, and below them, in the frame of the cloud.
    pub shape: Shape,
    /// How many points it has.
    pub points: usize,
}

/// What is in a cloud.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundScene {
    /// The table, if there is one.
    pub table: Option<FoundTable>,
    /// The objects, those with the most points first.
    pub objects: Vec<FoundObject>,
    /// Points on the robot.
    pub of_robot: usize,
    /// Points after thinning.
    pub thinned: usize,
    /// Of these the ones in groups too small for an object.
    pub scattered: usize,
}

/// Finds the objects. `robot` are the surfaces of the robot in the frame of the cloud. `tell` is called with the number of
/// groups that are done and of all. It ends soon after `is_cancelled` says so. The same points, options and seed give the same
/// bits, for any number of threads.
pub fn find_objects(
    points: &[Vec3],
    robot: &Placed<'_>,
    options: &SceneOptions,
    tell: &(dyn Fn(usize, usize) + Sync),
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<FoundScene, CloudError> {
    options.check()?;
    if let Some(index) = points.iter().position(|p| !p.iter().all(|x| x.abs() <= MAX_COORDINATE)) {
        return Err(CloudError::BadPoint { index, point: points[index].into() });
    }
    let stop = || if is_cancelled() { Err(CloudError::Cancelled) } else { Ok(()) };
    let outside = without_robot(points, robot, options.robot_padding, &stop)?;
    let of_robot = points.len() - outside.len();
    let (mut rest, grid) = thin(outside, options.grid);
    let thinned = rest.len();
    stop()?;
    // Coarser than the gaps of a thinned cloud nothing is apart.
    let gap = options.gap.max(2.0 * grid);
    let table = take_table(&mut rest, gap, options);
    stop()?;
    let (groups, small): (Vec<_>, Vec<_>) = clusters(&rest, gap)
        .into_iter()
        .partition(|group| group.len() >= options.min_points.max(1));
    let done = AtomicUsize::new(0);
    let fit = |(place, group): (usize, &Vec<usize>)| {
        stop()?;
        let points: Vec<Vec3> = group.iter().map(|k| rest[*k]).collect();
        let object = match place < options.max_fits {
            true => object(&points, &options.closest, options.explained, is_cancelled)?,
            false => hull_object(&points, NoFit::TooManyGroups { most: options.max_fits }),
        };
        tell(done.fetch_add(1, Ordering::Relaxed) + 1, groups.len());
        Ok(object)
    };
    let objects = groups.par_iter().enumerate().map(fit).collect::<Result<Vec<_>, CloudError>>()?;
    if table.is_none() && objects.is_empty() && !rest.is_empty() {
        let reason = NoFit::Scattered { least: options.min_points };
        let objects = vec![hull_object(&rest, reason)];
        return Ok(FoundScene { table, objects, of_robot, thinned, scattered: 0 });
    }
    let scattered = small.iter().map(Vec::len).sum();
    Ok(FoundScene { table, objects, of_robot, thinned, scattered })
}

/// The thinned points, and the edge of a cell; zero when nothing was thinned.
fn thin(points: Vec<Vec3>, grid: Option<f64>) -> (Vec<Vec3>, f64) {
    match grid {
        Some(grid) => (thinned(&points, grid), grid),
        None if points.len() <= MAX_THINNED => (points, 0.0),
        None => {
            let mut grid = FINEST_GRID;
            let mut few = thinned(&points, grid);
            while few.len() > MAX_THINNED {
                grid *= 1.5;
                few = thinned(&few, grid);
            }
            (few, grid)
        }
    }
}

/// Takes the points of the table away and gives its object.
fn take_table(points: &mut Vec<Vec3>, gap: f64, options: &SceneOptions) -> Option<FoundTable> {
    let reach = options.table_reach;
    let least = (options.table_share * points.len() as f64).ceil() as usize;
    let least = least.max(options.min_points).max(3);
    let mut random = Random::new(options.closest.seed);
    let plane = largest_plane(points, reach, least, &mut random)?;
    let near: Vec<usize> =
        (0..points.len()).filter(|k| plane.height(&points[*k]).abs() <= reach).collect();
    let flat = |k: &usize| points[*k] - plane.normal * plane.height(&points[*k]);
    let on_plane: Vec<Vec3> = near.iter().map(flat).collect();
    // Other points may lie in the same plane by chance.
    let largest = clusters(&on_plane, TABLE_GAPS * gap).into_iter().next()?;
    if largest.len() < least {
        return None;
    }
    let below = plane.normal * options.table_thickness;
    let corners = largest.iter().flat_map(|k| [on_plane[*k], on_plane[*k] - below]);
    let shape = hull(&corners.collect::<Vec<_>>());
    let mut is_table = vec![false; points.len()];
    largest.iter().for_each(|k| is_table[near[*k]] = true);
    let mut index = 0;
    points.retain(|_| {
        index += 1;
        !is_table[index - 1]
    });
    Some(FoundTable { plane, shape, points: largest.len() })
}
