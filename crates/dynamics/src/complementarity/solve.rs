//! Projected Gauss–Seidel for contacts with friction, joint limits and dry friction of joints [Moreau 1988, Jean 1999].
//!
//! Wanted are impulses λ with, for each constraint and w = J v after all of them,
//!
//! ```text
//! contact, limit    0 ≤ λ_n  ⊥  w_n − g ≥ 0              g the least velocity that is allowed
//! contact           |λ_t| ≤ μ λ_n,  and where λ_t is at that bound, w_t points against it; else w_t = 0
//! dry friction      |λ| ≤ b,        and where λ is at that bound, w points against it;     else w = 0
//! ```
//!
//! A sweep goes through the constraints and gives each the impulse that settles it while the others stay: λ ← P(λ − (w − g)/D),
//! P the projection on what is allowed, for friction on the disc of radius μλ_n with the larger eigenvalue of the two rows' block
//! for D. Sweeps go forwards and backwards in turn. Where it converges the conditions hold; it need not converge, and with
//! friction an answer need not exist.
//!
//! Stops when no velocity changes by more than the tolerance, or after a number of sweeps. The residual is the largest
//! D |λ − P(λ − (w − g)/D)| of a last look at all constraints, in m/s or rad/s: zero exactly for a solution.

use crate::complementarity::rows::{Row, Velocities};

/// What limits an impulse.
#[derive(Debug, Clone)]
pub(crate) enum Constraint {
    /// Bodies that may not approach each other faster than allowed, with friction across.
    Contact { normal: Row, tangents: Box<[Row; 2]>, least: f64, friction: f64 },
    /// A velocity with a least value.
    Limit { row: Row, least: f64 },
    /// A velocity that an impulse of at most `bound` brings to zero.
    Friction { row: Row, bound: f64 },
}

/// How well the conditions hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Solved {
    pub sweeps: u32,
    /// m/s or rad/s.
    pub residual: f64,
    /// The constraint that it is found at.
    pub worst: usize,
}

impl Solved {
    /// Whether the residual is a number and at most this.
    pub(crate) fn is_within(&self, limit: f64) -> bool {
        self.residual <= limit
    }
}

/// The impulses of a constraint: along the normal and the two tangents, or one number.
pub(crate) type Impulse = [f64; 3];

impl Constraint {
    /// The row of the normal, the limit, the friction.
    pub(crate) fn first(&self) -> &Row {
        match self {
            Constraint::Contact { normal, .. } => normal,
            Constraint::Limit { row, .. } | Constraint::Friction { row, .. } => row,
        }
    }

    /// Adds what impulses change.
    pub(crate) fn apply(&self, impulse: &Impulse, v: &mut Velocities) {
        self.first().apply(impulse[0], v);
        if let Constraint::Contact { tangents, .. } = self {
            tangents[0].apply(impulse[1], v);
            tangents[1].apply(impulse[2], v);
        }
    }

    /// Settles the constraint while the others stay; returns the change of velocity that this took.
    fn settle(&self, impulse: &mut Impulse, v: &mut Velocities) -> f64 {
        match self {
            Constraint::Limit { row, least } => {
                settle(row, *least, [0.0, f64::INFINITY], &mut impulse[0], v)
            }
            Constraint::Friction { row, bound } => {
                settle(row, 0.0, [-bound, *bound], &mut impulse[0], v)
            }
            Constraint::Contact { normal, tangents, least, friction } => {
                let along = settle(normal, *least, [0.0, f64::INFINITY], &mut impulse[0], v);
                let across = slide(tangents, friction * impulse[0], impulse, v);
                along.max(across)
            }
        }
    }
}

fn settle(
    row: &Row,
    least: f64,
    [low, high]: [f64; 2],
    impulse: &mut f64,
    v: &mut Velocities,
) -> f64 {
    let lacking = least - row.velocity(v);
    if row.diagonal <= 0.0 {
        // Nothing moves along it. What is lacking stays so, and is told.
        return if high.is_infinite() { lacking.max(0.0) } else { 0.0 };
    }
    let next = (*impulse + lacking / row.diagonal).clamp(low, high);
    let change = next - *impulse;
    *impulse = next;
    if change != 0.0 {
        row.apply(change, v);
    }
    change.abs() * row.diagonal
}

/// Friction of a contact: the two impulses across it on a disc.
fn slide(rows: &[Row; 2], radius: f64, impulse: &mut Impulse, v: &mut Velocities) -> f64 {
    let [a, b] = [rows[0].diagonal, rows[1].diagonal];
    let across = rows[0].coupling(&rows[1]);
    let largest = 0.5 * (a + b) + (0.25 * (a - b) * (a - b) + across * across).sqrt();
    if largest <= 0.0 {
        return 0.0;
    }
    let mut next = [0, 1].map(|k| impulse[1 + k] - rows[k].velocity(v) / largest);
    let length = (next[0] * next[0] + next[1] * next[1]).sqrt();
    if length > radius {
        next = next.map(|x| x * (radius / length));
    }
    let mut change = 0f64;
    for k in 0..2 {
        let difference = next[k] - impulse[1 + k];
        impulse[1 + k] = next[k];
        rows[k].apply(difference, v);
        change = change.max(difference.abs() * largest);
    }
    change
}

/// Changes velocities and impulses until the conditions hold to a tolerance, or for so many sweeps. The velocities must contain
/// the impulses that it begins with.
pub(crate) fn solve(
    constraints: &[Constraint],
    impulses: &mut [Impulse],
    v: &mut Velocities,
    tolerance: f64,
    most_sweeps: u32,
) -> Solved {
    let mut sweeps = 0;
    let mut change = f64::INFINITY;
    while change > tolerance && sweeps < most_sweeps {
        change = 0.0;
        for k in 0..constraints.len() {
            let k = if sweeps % 2 == 0 { k } else { constraints.len() - 1 - k };
            change = change.max(constraints[k].settle(&mut impulses[k], v));
        }
        sweeps += 1;
    }
    // What a further step for each constraint alone would change.
    let mut solved = Solved { sweeps, residual: 0.0, worst: 0 };
    for (k, constraint) in constraints.iter().enumerate() {
        let mut impulse = impulses[k];
        let change = constraint.settle(&mut impulse, v);
        let back = [0, 1, 2].map(|i| impulses[k][i] - impulse[i]);
        constraint.apply(&back, v);
        // A number that is none must not look like a solution.
        if change.is_nan() || change > solved.residual {
            (solved.residual, solved.worst) = (change, k);
        }
    }
    solved
}
