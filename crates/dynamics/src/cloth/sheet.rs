//! A cloth: what it consists of, its bodies and its pins.

use crate::cloth::contacts::Block;
use crate::cloth::error::ClothError;
use crate::cloth::obstacle::{ClothBody, Obstacle};
use crate::cloth::options::{ClothContacts, ClothOptions, ClothSheet};
use crate::cloth::pins::Pins;
use crate::cloth::plane::Plane;
use crate::cloth::points::{Points, turn};
use crate::cloth::search::{Surroundings, cell_triangles};
use crate::cloth::springs::ChainBuffers;
use crate::cloth::tuning::{PUSH_AGAIN, PUSHES, ROUNDING, STRETCH_ROOM};
use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::broad_phase::{AabbTree, BroadPhase};
use smooth_scene_geometry::math::{Pose, Vec3};

/// A cloth over bodies.
///
/// ```
/// use smooth_scene_dynamics::{Cloth, ClothBody, ClothOptions, ClothSheet};
/// use smooth_scene_geometry::Shape;
/// use smooth_scene_geometry::math::Pose;
///
/// let sheet = ClothSheet { rows: 20, columns: 20, size: [1.0, 1.0], pose: Pose::translation(0.0, 0.0, 0.5) };
/// let shape = Shape::superellipsoid([0.2, 0.2, 0.3], 0.8, 0.8)?;
/// let body = ClothBody { name: "rock".into(), shape, pose: Pose::identity() };
/// let mut cloth = Cloth::new(sheet, ClothOptions::default(), &[body])?;
/// cloth.pin(0, 0)?;
/// for _ in 0..60 {
///     cloth.step(1.0 / 60.0)?;
/// }
/// assert!(cloth.position(10, 10).z > 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Cloth {
    pub(crate) sheet: ClothSheet,
    pub(crate) options: ClothOptions,
    pub(crate) masses: Vec<f64>,
    pub(crate) points: Points,
    pub(crate) velocities: Points,
    pub(crate) pins: Pins,
    pub(crate) around: Surroundings,
    /// Where each body is going in the next step.
    pub(crate) targets: Vec<Pose>,
    pub(crate) blocks: Vec<Block>,
    /// Inverse masses, zero for pins; and with rows and columns exchanged.
    pub(crate) weights: Vec<f64>,
    pub(crate) turned_weights: Vec<f64>,
    pub(crate) start: Points,
    pub(crate) turned: Points,
    pub(crate) buffers: ChainBuffers,
    pub(crate) held_back: usize,
}

impl Cloth {
    /// A flat cloth at rest. It may not be nearer to a body than its thickness.
    pub fn new(
        sheet: ClothSheet,
        options: ClothOptions,
        bodies: &[ClothBody],
    ) -> Result<Self, ClothError> {
        // What a program computes a pose from is looked at first.
        let options = options.checked()?;
        let mut cloth = Self::free(sheet.checked()?, options);
        cloth.place_bodies(bodies)?;
        cloth.check_start(bodies)?;
        Ok(cloth)
    }

    fn free(sheet: ClothSheet, options: ClothOptions) -> Self {
        let count = sheet.rows * sheet.columns;
        let (mut points, mut masses) = (Points::zeros(count), Vec::with_capacity(count));
        for row in 0..sheet.rows {
            for column in 0..sheet.columns {
                points.set(row * sheet.columns + column, &sheet.place(row, column));
                masses.push(options.mass * sheet.share(row, column));
            }
        }
        let around =
            Surroundings { obstacles: Vec::new(), boxes: Vec::new(), tree: AabbTree::new() };
        let mut cloth = Self {
            sheet,
            options,
            masses,
            velocities: Points::zeros(count),
            pins: Pins::default(),
            around,
            targets: Vec::new(),
            blocks: Block::all(sheet.rows, sheet.columns),
            weights: vec![0.0; count],
            turned_weights: vec![0.0; count],
            start: points.clone(),
            turned: Points::zeros(count),
            buffers: ChainBuffers::new(count),
            held_back: 0,
            points,
        };
        cloth.weigh();
        cloth
    }

    /// Inverse masses from masses and pins.
    fn weigh(&mut self) {
        for (weight, mass) in self.weights.iter_mut().zip(&self.masses) {
            *weight = 1.0 / mass;
        }
        for (vertex, _) in self.pins.iter() {
            self.weights[vertex] = 0.0;
        }
        turn(&self.weights, self.sheet.columns, &mut self.turned_weights);
    }

    /// Other bodies in place of those there are. Vertices that are inside one are put in front of it, at rest; a body that sticks
    /// through a triangle between its corners goes on doing so. Where bodies leave a vertex no place that a few pushes find, the cloth
    /// stays as it was, over the bodies it had.
    pub fn set_bodies(&mut self, bodies: &[ClothBody]) -> Result<(), ClothError> {
        let before = self.clone();
        let placed = self.place_bodies(bodies).and_then(|()| self.push_out(bodies));
        if placed.is_err() {
            *self = before;
        }
        placed
    }

    /// Puts vertices in front of all bodies, at rest.
    fn push_out(&mut self, bodies: &[ClothBody]) -> Result<(), ClothError> {
        let (columns, thickness) = (self.sheet.columns, self.options.thickness);
        let all = self.around.obstacles.iter();
        let bounds: Vec<Aabb> = all.map(|one| one.aabb().inflated(thickness)).collect();
        for vertex in 0..self.points.len() {
            let start = self.points.get(vertex);
            let (mut point, mut inside) = (start, None);
            for round in 0..PUSHES {
                let reach = if round == 0 { thickness } else { PUSH_AGAIN * thickness };
                inside = None;
                for (obstacle, bounds) in self.around.obstacles.iter().zip(&bounds) {
                    if !bounds.contains(&point) {
                        continue;
                    }
                    let plane = obstacle.exact(&point);
                    let gap = plane.gap(&point);
                    if gap < (1.0 - ROUNDING) * thickness {
                        point += plane.normal * (reach - gap);
                        inside = Some(obstacle.body);
                    }
                }
                if inside.is_none() {
                    break;
                }
            }
            if let Some(body) = inside {
                let (row, column) = (vertex / columns, vertex % columns);
                return Err(ClothError::NoPlace { row, column, body: bodies[body].name.clone() });
            }
            if point != start {
                self.points.set(vertex, &point);
                self.velocities.set(vertex, &Vec3::zeros());
            }
        }
        Ok(())
    }

    fn place_bodies(&mut self, bodies: &[ClothBody]) -> Result<(), ClothError> {
        let [along, across] = self.sheet.edges();
        let rho_squared = 0.25 * (along * along + across * across) * STRETCH_ROOM * STRETCH_ROOM;
        let parts = bodies.iter().enumerate().flat_map(|(k, body)| Obstacle::parts_of(k, body));
        let mut around =
            Surroundings { obstacles: Vec::new(), boxes: Vec::new(), tree: AabbTree::new() };
        for (id, mut obstacle) in parts.enumerate() {
            obstacle.set_mesh(self.options.thickness, rho_squared);
            let bounds = obstacle.aabb();
            around.tree.insert(id as u32, &bounds).map_err(|source| {
                let body = bodies[obstacle.body].name.clone();
                ClothError::BadBody { body, source }
            })?;
            around.boxes.push(bounds);
            around.obstacles.push(obstacle);
        }
        self.around = around;
        self.targets = bodies.iter().map(|body| body.pose).collect();
        for block in &mut self.blocks {
            *block = Block { vertices: Vec::new(), triangles: Vec::new(), ..block.clone() };
            block.forget();
        }
        Ok(())
    }

    /// Refuses a cloth that begins in a body.
    fn check_start(&mut self, bodies: &[ClothBody]) -> Result<(), ClothError> {
        let (columns, thickness) = (self.sheet.columns, self.options.thickness);
        let all = self.around.obstacles.iter();
        let bounds: Vec<Aabb> = all.map(|one| one.aabb().inflated(thickness)).collect();
        for vertex in 0..self.points.len() {
            let point = self.points.get(vertex);
            for (obstacle, bounds) in self.around.obstacles.iter().zip(&bounds) {
                let distance =
                    if bounds.contains(&point) { obstacle.exact(&point).gap(&point) } else { 1.0 };
                if distance < thickness {
                    let (row, column) = (vertex / columns, vertex % columns);
                    let body = bodies[obstacle.body].name.clone();
                    return Err(ClothError::TooNear { row, column, body, distance, thickness });
                }
            }
        }
        self.check_triangles(bodies)
    }

    fn check_triangles(&self, bodies: &[ClothBody]) -> Result<(), ClothError> {
        let thickness = self.options.thickness;
        let (rows, columns) = (self.sheet.rows, self.sheet.columns);
        if self.options.contacts == ClothContacts::Vertices {
            return Ok(());
        }
        for obstacle in self.around.obstacles.iter().filter(|obstacle| obstacle.fits_a_mesh) {
            let bounds = obstacle.aabb();
            for (row, column) in (1..rows).flat_map(|i| (1..columns).map(move |j| (i - 1, j - 1))) {
                for corners in cell_triangles(row, column, columns) {
                    let corners = corners.map(|corner| self.points.get(corner));
                    let [a, b, c] = corners;
                    let reach = Aabb { min: a.inf(&b).inf(&c), max: a.sup(&b).sup(&c) };
                    if !reach.overlaps(&bounds) {
                        continue;
                    }
                    let start = obstacle.towards(&corners);
                    let will_do = |_: &Plane, gap: f64| gap >= thickness;
                    let found = obstacle.triangle_plane(&corners, &start, will_do);
                    if found.is_none() {
                        let body = bodies[obstacle.body].name.clone();
                        return Err(ClothError::Pierced { row, column, body });
                    }
                }
            }
        }
        Ok(())
    }

    /// Where a body is to be after the next step, world frame; it goes there at a constant rate.
    pub fn move_body(&mut self, body: usize, pose: &Pose) -> Result<(), ClothError> {
        let count = self.targets.len();
        let target = self.targets.get_mut(body).ok_or(ClothError::NoSuchBody { body, count })?;
        if let Some(value) = pose.translation.vector.iter().find(|x| x.is_nan() || x.abs() > 1e6) {
            let (field, range) = ("position of a body", "in [-1e6, 1e6]");
            return Err(ClothError::OutOfRange { field, value: *value, range });
        }
        let norm = pose.rotation.norm();
        if norm.is_nan() || (norm - 1.0).abs() > 1e-6 {
            let (field, range) = ("norm of a body's quaternion", "1");
            return Err(ClothError::OutOfRange { field, value: norm, range });
        }
        *target = *pose;
        Ok(())
    }

    fn vertex(&self, row: usize, column: usize) -> Result<usize, ClothError> {
        let (rows, columns) = (self.sheet.rows, self.sheet.columns);
        if row >= rows || column >= columns {
            return Err(ClothError::NoSuchVertex { row, column, rows, columns });
        }
        Ok(row * columns + column)
    }

    /// Holds a vertex where it is.
    pub fn pin(&mut self, row: usize, column: usize) -> Result<(), ClothError> {
        let vertex = self.vertex(row, column)?;
        self.pins.hold(vertex, self.points.get(vertex));
        self.weigh();
        Ok(())
    }

    /// Holds a vertex at a point of the world, to which it goes within the next step. A body that is in the way stops it.
    pub fn drag(&mut self, row: usize, column: usize, target_w: &Vec3) -> Result<(), ClothError> {
        let vertex = self.vertex(row, column)?;
        if let Some(value) = target_w.iter().find(|x| x.is_nan() || x.abs() > 1e6) {
            let (field, range) = ("target of a pin", "in [-1e6, 1e6]");
            return Err(ClothError::OutOfRange { field, value: *value, range });
        }
        self.pins.hold(vertex, *target_w);
        self.weigh();
        Ok(())
    }

    /// Lets a vertex go. Returns whether it was held.
    pub fn release(&mut self, row: usize, column: usize) -> Result<bool, ClothError> {
        let vertex = self.vertex(row, column)?;
        let was_held = self.pins.release(vertex);
        self.weigh();
        Ok(was_held)
    }

    /// Held vertices, as row and column.
    pub fn pins(&self) -> impl Iterator<Item = [usize; 2]> {
        let columns = self.sheet.columns;
        self.pins.iter().map(move |(vertex, _)| [vertex / columns, vertex % columns])
    }

    /// What was asked for.
    pub fn sheet(&self) -> &ClothSheet {
        &self.sheet
    }

    /// What was asked for.
    pub fn options(&self) -> &ClothOptions {
        &self.options
    }

    /// Where a vertex is, world frame.
    ///
    /// # Panics
    ///
    /// When there is no such vertex.
    pub fn position(&self, row: usize, column: usize) -> Vec3 {
        assert!(column < self.sheet.columns, "no column {column}");
        self.points.get(row * self.sheet.columns + column)
    }

    /// Where the vertices are, row after row, world frame.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Vec3> {
        (0..self.points.len()).map(|vertex| self.points.get(vertex))
    }

    /// Gives all vertices a velocity, world frame; none if one is not finite.
    pub fn set_velocity(&mut self, of: impl Fn(&Vec3) -> Vec3) -> Result<(), ClothError> {
        let all: Vec<Vec3> = self.positions().map(|point| of(&point)).collect();
        if let Some(value) = all.iter().flat_map(|v| v.iter()).find(|x| !x.is_finite()) {
            let (field, range) = ("velocity", "finite");
            return Err(ClothError::OutOfRange { field, value: *value, range });
        }
        all.iter().enumerate().for_each(|(k, velocity)| self.velocities.set(k, velocity));
        Ok(())
    }

    /// How many vertices and triangles of the last step had to stay where they were at the beginning of a substep, because no
    /// place in front of all bodies was found for them.
    pub fn held_back(&self) -> usize {
        self.held_back
    }

    /// Contacts that are followed: of vertices, and of triangles.
    pub fn followed(&self) -> [usize; 2] {
        let sum = |count: fn(&Block) -> usize| self.blocks.iter().map(count).sum();
        [sum(|block| block.vertices.len()), sum(|block| block.triangles.len())]
    }
}
