//! The robot and the movement of a recording, for the demo.

use std::path::{Path, PathBuf};

use super::bundled::Bundle;

/// Why a recording cannot be played.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BagFailure {
    #[cfg(not(feature = "bags"))]
    #[error(
        "{}: recordings need the feature `bags`, which this build was made without", .0.display()
    )]
    NotBuilt(PathBuf),
    #[cfg(feature = "bags")]
    #[error(transparent)]
    Bag(#[from] crate::bag::BagError),
    #[cfg(feature = "bags")]
    #[error("{}: {reason}", path.display())]
    Nothing { path: PathBuf, reason: String },
    #[cfg(feature = "bags")]
    #[error("{}: its robot: {source}", path.display())]
    Robot { path: PathBuf, source: Box<crate::command_line::demo::bundled::BundleError> },
}

/// Without the feature `bags` there are no recordings.
#[cfg(not(feature = "bags"))]
pub(crate) fn load(path: &Path) -> Result<Bundle, BagFailure> {
    Err(BagFailure::NotBuilt(path.into()))
}

#[cfg(feature = "bags")]
pub(crate) use reading::load;

#[cfg(feature = "bags")]
mod reading {
    use super::{BagFailure, Bundle, Path};
    use crate::bag::{self, RecordedStates, Recording, Topic};
    use crate::command_line::demo::bundled::{BundleError, Described, ROBOTS};

    const URDF: &str = "robot_description";
    const SRDF: &str = "robot_description_semantic";

    /// Reads a recording. Prints which parts of it were not used.
    pub(crate) fn load(path: &Path) -> Result<Bundle, BagFailure> {
        let is_state = |topic: &Topic| bag::is_joint_states(topic, None);
        let wanted = |topic: &Topic| {
            is_state(topic) || bag::is_text(topic, URDF) || bag::is_text(topic, SRDF)
        };
        let recording = bag::read(path, &wanted)?;
        let nothing = |reason: String| BagFailure::Nothing { path: path.into(), reason };
        // The robot of which the recording moves most joints.
        let mut best: Option<(Described, RecordedStates)> = None;
        for robot in robots(path, &recording)? {
            let found = RecordedStates::new(&recording, robot.scene.model(), &is_state);
            if best.as_ref().is_none_or(|(_, other)| other.moved.len() < found.moved.len()) {
                best = Some((robot, found));
            }
        }
        let Some((robot, found)) = best else { return Err(nothing("no robot to show".into())) };
        let model = robot.scene.model();
        if let Some(reason) = found.nothing(&recording, model, None) {
            return Err(nothing(reason));
        }
        for note in &found.notes {
            eprintln!("{}: {note}", path.display());
        }
        let movement = found.movement(model).ok_or_else(|| nothing("no states".into()))?;
        Ok(Bundle::new(robot, Some(movement)))
    }

    /// The robot of the recording, else those that are bundled.
    fn robots(path: &Path, recording: &Recording) -> Result<Vec<Described>, BagFailure> {
        let refused =
            |source: BundleError| BagFailure::Robot { path: path.into(), source: source.into() };
        let Some(urdf) = bag::text(recording, URDF)? else {
            return ROBOTS.iter().map(|one| one.describe().map_err(refused)).collect();
        };
        if let Some(srdf) = bag::text(recording, SRDF)? {
            return Ok(vec![Described::new(&urdf, Some(&srdf), URDF).map_err(refused)?]);
        }
        // Few recordings contain an SRDF; bundled robots have one.
        let alone = Described::new(&urdf, None, URDF).map_err(refused)?;
        let known = ROBOTS.iter().find(|one| one.name == alone.scene.model().name());
        let Some(known) = known else { return Ok(vec![alone]) };
        match Described::new(&urdf, Some(known.srdf), URDF) {
            Ok(with_srdf) => Ok(vec![with_srdf]),
            Err(error) => {
                let (file, name) = (path.display(), known.name);
                eprintln!(
                    "{file}: the bundled SRDF of {name} does not fit and is not used: {error}"
                );
                Ok(vec![alone])
            }
        }
    }
}
