//! The two common-normal solvers of A. A. R. L. Gonçalves, *Efficient Contact Detection for Game Engines and Robotics* (MSc
//! thesis, Instituto Superior Técnico, 2015), §3.4, after D. S. Lopes et al. 2010.
//!
//! 1. Start from the points of the last query on the pair, if there are any (temporal coherence, table 5).
//! 2. If there are none, or Newton–Raphson fails from them, start from a first guess (§3.4.1, table 7).
//! 3. If that fails, start from a guess with finer trees (§3.4.1).
//! 4. If that fails, start from what bisection and regula falsi make of the finer guess (§1.4.1).
//! 5. If that fails, return the best iterate of all (table 6), as not converged.
//!
//! A run counts as converged when its last step is short, nothing more: it may have ended at the farthest points, and for
//! bodies that overlap at any pair of points with a common normal. Steps of all runs are counted.

mod common_normal;
mod frame;
mod newton;
mod octree;
mod quadtree;
mod regula_falsi;

use crate::answer::Unsupported;
use crate::relative_pair::{PointPair, RelativePair, Solution};
use crate::superquadric::{Form, Superquadric};
use common_normal::{Implicit, Parametric, ParametricAnalytic, Surfaces};
use newton::{Run, newton_raphson};
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Vec3, unit_or};

/// What is solved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unknowns {
    Implicit,
    Parametric,
    ParametricAnalytic,
}

/// Where the search starts when nothing is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guess {
    Octree,
    Quadtree,
}

/// One of the solvers, in one of its variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Method {
    name: &'static str,
    unknowns: Unknowns,
    guess: Guess,
    form: Form,
}

impl Method {
    /// Two points of implicit surfaces, octree guess.
    pub(crate) const IMPLICIT: Method = Method {
        name: "implicit-newton",
        unknowns: Unknowns::Implicit,
        guess: Guess::Octree,
        form: Form::Simplest,
    };
    /// Four surface angles, quadtree guess.
    pub(crate) const PARAMETRIC: Method = Method {
        name: "parametric-newton",
        unknowns: Unknowns::Parametric,
        guess: Guess::Quadtree,
        form: Form::Simplest,
    };

    /// The same with the derivatives by the chain rule (§7.2).
    pub(crate) const fn with_analytic_jacobian(self) -> Method {
        Method { unknowns: Unknowns::ParametricAnalytic, ..self }
    }

    /// The same from the guess of the other solver, so that both can be compared from equal starts (§7.2).
    pub(crate) const fn with_other_guess(self) -> Method {
        let guess = match self.guess {
            Guess::Octree => Guess::Quadtree,
            Guess::Quadtree => Guess::Octree,
        };
        Method { guess, ..self }
    }

    /// The same with the formulas of superovoids for all shapes (§6.2, iii).
    pub(crate) const fn as_superovoids(self) -> Method {
        Method { form: Form::Superovoid, ..self }
    }

    /// Runs the solver, from the points of an earlier query where there are any, each in the frame of its body.
    pub(crate) fn solve(
        self,
        pair: &RelativePair,
        previous: Option<[Vec3; 2]>,
    ) -> Result<Solution, Unsupported> {
        let of = |shape| Superquadric::of(shape, self.form, self.name);
        let surfaces = Surfaces {
            a: of(pair.a)?,
            b: of(pair.b)?,
            boxes: [pair.a.local_aabb(), pair.b.local_aabb()],
            rotation_ab: pair.pose_ab.rotation.to_rotation_matrix().into_inner(),
            origin_ab: pair.centre_b(),
        };
        Ok(self.search(&surfaces, previous).solution(&surfaces, pair))
    }

    fn search(self, surfaces: &Surfaces, previous: Option<[Vec3; 2]>) -> Attempt {
        let mut best = Attempt::none();
        if let Some(points) = previous {
            best = best.or(self.attempt(surfaces, Start::Points(points)));
        }
        if !best.converged {
            best = best.or(self.attempt(surfaces, self.first_guess(surfaces)));
        }
        if !best.converged {
            let finer = self.finer_guess(surfaces);
            best = best.or(self.attempt(surfaces, finer));
            if !best.converged {
                let angles = regula_falsi::improved(surfaces, finer.angles(surfaces));
                best = best.or(self.attempt(surfaces, Start::Angles(angles)));
            }
        }
        best
    }

    fn first_guess(self, surfaces: &Surfaces) -> Start {
        match self.guess {
            Guess::Octree => Start::Points(octree::guess(surfaces, octree::CELLS_PER_AXIS)),
            Guess::Quadtree => Start::Angles(quadtree::guess(surfaces, quadtree::LEVELS)),
        }
    }

    /// Cells of half the size, or two levels more.
    fn finer_guess(self, surfaces: &Surfaces) -> Start {
        match self.guess {
            Guess::Octree => Start::Points(octree::guess(surfaces, 2 * octree::CELLS_PER_AXIS)),
            Guess::Quadtree => Start::Angles(quadtree::guess(surfaces, quadtree::LEVELS + 2)),
        }
    }

    fn attempt(self, surfaces: &Surfaces, start: Start) -> Attempt {
        match self.unknowns {
            Unknowns::Implicit => {
                let start = Implicit::joined(start.points(surfaces));
                let run = newton_raphson(start, &Implicit(surfaces));
                let points = Implicit::split(&run.unknowns);
                Attempt::new(&run, points, surfaces.a.implicit_normal(&points[0]))
            }
            Unknowns::Parametric => {
                let run = newton_raphson(start.angles(surfaces), &Parametric(surfaces));
                Attempt::of_angles(&run, surfaces)
            }
            Unknowns::ParametricAnalytic => {
                let run = newton_raphson(start.angles(surfaces), &ParametricAnalytic(surfaces));
                Attempt::of_angles(&run, surfaces)
            }
        }
    }
}

/// Where a run starts.
#[derive(Debug, Clone, Copy)]
enum Start {
    /// Two points, each in the frame of its body.
    Points([Vec3; 2]),
    /// Their angles.
    Angles([f64; 4]),
}

impl Start {
    fn points(self, surfaces: &Surfaces) -> [Vec3; 2] {
        match self {
            Start::Points(points) => points,
            Start::Angles(angles) => surfaces.points(angles),
        }
    }

    fn angles(self, surfaces: &Surfaces) -> [f64; 4] {
        match self {
            Start::Points(points) => surfaces.angles(points),
            Start::Angles(angles) => angles,
        }
    }
}

/// Where a run ended.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    /// P and Q, each in the frame of its body.
    points: [Vec3; 2],
    /// The normal of A at P.
    normal: Vec3,
    residual: f64,
    converged: bool,
    iterations: u32,
}

impl Attempt {
    /// No run yet.
    fn none() -> Self {
        let points = [Vec3::repeat(f64::NAN); 2];
        let normal = Vec3::repeat(f64::NAN);
        Self { points, normal, residual: f64::INFINITY, converged: false, iterations: 0 }
    }

    fn new<const N: usize>(run: &Run<N>, points: [Vec3; 2], normal: Vec3) -> Self {
        let Run { residual, converged, iterations, .. } = *run;
        Self { points, normal, residual, converged, iterations }
    }

    fn of_angles(run: &Run<4>, surfaces: &Surfaces) -> Self {
        let [p1, p2, ..] = run.unknowns;
        Self::new(run, surfaces.points(run.unknowns), surfaces.a.normal([p1, p2]))
    }

    /// The better of two, with the steps of both. A run that converged is better than one that did not.
    fn or(self, later: Attempt) -> Attempt {
        let iterations = self.iterations + later.iterations;
        let is_better = later.converged || later.residual < self.residual;
        Attempt { iterations, ..if is_better { later } else { self } }
    }

    /// The signed answer [Gonçalves 2015, table 5]: the distance between the points, negative when Q is inside or on A.
    fn solution(&self, surfaces: &Surfaces, pair: &RelativePair) -> Solution {
        let [p, q] = [self.points[0], surfaces.in_a(&self.points[1])];
        let gap = q - p;
        let length = gap.norm();
        if !length.is_finite() {
            return pair.unconverged(&pair.centre_line(), self.iterations);
        }
        let is_inside = surfaces.a.implicit(&q) <= 0.0;
        Solution {
            distance: if is_inside { -length } else { length },
            points: PointPair { a: p, b: q },
            normal: unit_or(&self.normal, &unit_or(&gap, &pair.centre_line())),
            converged: self.converged,
            iterations: self.iterations,
        }
    }
}

#[cfg(test)]
mod tests;
