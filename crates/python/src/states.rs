//! States in, and questions about many of them.

use std::cell::RefCell;
use std::ops::Range;

use pyo3::prelude::*;
use rayon::prelude::*;
use smooth_scene_robot::RobotModel;
use smooth_scene_scene::{BatchChecker, SceneError, Workspace};

use crate::array::{Batch, read_numbers, shape_text};
use crate::error::refused;
use crate::threads::Workers;

/// States that one thread takes at a time: some tens of microseconds each.
const BLOCK: usize = 16;
/// The same for blocks of eight states, each of which takes a few microseconds.
const PIECE: usize = 64;
/// States between two looks at Ctrl-C.
const SLAB: usize = 1 << 14;

thread_local! {
    /// The buffers of the last question of this thread. Cold: what was asked before does not change an answer.
    static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace::cold());
}

/// Positions of a robot, one state or many.
pub(crate) struct States {
    numbers: Vec<f64>,
    width: usize,
    pub batch: Batch,
}

impl States {
    /// Reads positions of shape (width,) or (n, width).
    pub fn read(name: &str, value: &Bound<'_, PyAny>, model: &RobotModel) -> PyResult<Self> {
        let width = model.position_count();
        let numbers = read_numbers(name, value)?;
        let batch = match numbers.shape[..] {
            [own] if own == width => Batch::One,
            [count, own] if own == width => Batch::Many(count),
            ref other => {
                let given = shape_text(other);
                let text = format!("{name} has shape {given}, must be ({width},) or (n, {width})");
                return Err(refused(text));
            }
        };
        Ok(Self { numbers: numbers.values, width, batch })
    }

    /// Reads one state.
    pub fn read_one(
        name: &str,
        value: &Bound<'_, PyAny>,
        model: &RobotModel,
    ) -> PyResult<Vec<f64>> {
        let states = Self::read(name, value, model)?;
        match states.batch {
            Batch::One => Ok(states.numbers),
            Batch::Many(count) => {
                Err(refused(format!("{name} is {count} states, must be one: ({},)", states.width)))
            }
        }
    }

    pub fn row(&self, index: usize) -> &[f64] {
        &self.numbers[index * self.width..(index + 1) * self.width]
    }

    pub fn rows(&self) -> Vec<&[f64]> {
        (0..self.batch.count()).map(|index| self.row(index)).collect()
    }

    /// Asks about every state without the interpreter lock. The answers are in order and the same bits for any number of
    /// threads; of several errors the one of the first state is raised.
    pub fn ask<T: Send, E: Send + std::fmt::Display>(
        &self,
        py: Python<'_>,
        threads: Option<i64>,
        ask: impl Fn(&[f64], &mut Workspace) -> Result<T, E> + Sync,
    ) -> PyResult<Vec<T>> {
        for_each(py, self.batch, threads, |index, ws| ask(self.row(index), ws))
    }
}

impl States {
    /// Whether each state is in collision, in blocks; `None` if one of them is no state of the robot. The answers are those of
    /// the exact question.
    pub fn colliding(
        &self,
        py: Python<'_>,
        threads: Option<i64>,
        checker: &BatchChecker,
    ) -> PyResult<Option<Vec<bool>>> {
        let count = self.batch.count();
        let workers = Workers::new(py, threads, count, BLOCK)?;
        let (mut own, mut answers) = (checker.another(), Vec::with_capacity(count));
        for slab in self.numbers.chunks((SLAB * self.width).max(1)) {
            let found = py.detach(|| match &workers {
                Workers::Caller => own.in_collision(slab),
                Workers::Pool(pool) => pool.install(|| {
                    let pieces = slab.par_chunks(PIECE * self.width);
                    let ask = |own: &mut BatchChecker, piece| own.in_collision(piece);
                    let found = pieces.map_init(|| checker.another(), ask);
                    let found: Result<Vec<Vec<bool>>, SceneError> = found.collect();
                    found.map(|pieces| pieces.concat())
                }),
            });
            let Ok(found) = found else { return Ok(None) };
            answers.extend(found);
            py.check_signals()?;
        }
        // A robot without joints has states without numbers.
        Ok((answers.len() == count).then_some(answers))
    }
}

/// Asks `batch` questions by number; see [`States::ask`].
pub(crate) fn for_each<T: Send, E: Send + std::fmt::Display>(
    py: Python<'_>,
    batch: Batch,
    threads: Option<i64>,
    ask: impl Fn(usize, &mut Workspace) -> Result<T, E> + Sync,
) -> PyResult<Vec<T>> {
    let count = batch.count();
    let workers = Workers::new(py, threads, count, BLOCK)?;
    let mut answers = Vec::with_capacity(count);
    for start in (0..count).step_by(SLAB) {
        let slab = start..(start + SLAB).min(count);
        let found = py.detach(|| over(slab, &workers, &ask));
        for (index, answer) in (start..).zip(found) {
            answers.push(answer.map_err(|error| match batch {
                Batch::One => refused(error.to_string()),
                Batch::Many(_) => refused(format!("state {index}: {error}")),
            })?);
        }
        py.check_signals()?;
    }
    Ok(answers)
}

/// Errors are boxed: most answers are none, and a large variant would make all of them large.
fn over<T: Send, E: Send>(
    slab: Range<usize>,
    workers: &Workers,
    ask: &(impl Fn(usize, &mut Workspace) -> Result<T, E> + Sync),
) -> Vec<Result<T, Box<E>>> {
    let ask = |index: usize, ws: &mut Workspace| ask(index, ws).map_err(Box::new);
    match workers {
        Workers::Caller => WORKSPACE.with_borrow_mut(|ws| slab.map(|k| ask(k, ws)).collect()),
        Workers::Pool(pool) => pool.install(|| {
            let each = slab.into_par_iter().with_min_len(BLOCK);
            each.map_init(Workspace::cold, |ws, index| ask(index, ws)).collect()
        }),
    }
}
