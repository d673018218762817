//! Which robot it is: URDF, SRDF and sidecar, from parameters first and from latched topics otherwise.
//!
//! A new description is read beside the running scene, which it replaces in one step, or it is refused with the reason
//! and the old one stays. The objects of the world stay where they are and attached ones stay attached; a description
//! without the link that carries one is refused. Texts come one by one: an SRDF that does not fit the robot there is now
//! is kept, and tried again with the next URDF.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::core::Core;
use super::parameters::Settings;
use super::second_model::SecondModel;
use super::topics::Topic;
use super::topics::table::{ROBOT_DESCRIPTION, ROBOT_DESCRIPTION_SCS, ROBOT_DESCRIPTION_SEMANTIC};
use crate::bell::Bell;
use crate::convert::{Refusal, Status};
use crate::interfaces::std_msgs::msg::String as Text;
use crate::robot::srdf::Srdf;
use crate::robot::{
    GeometrySource, LinkGeometry, LoadedRobot, UrdfPhysics, link_geometry, parse_urdf, physics,
};
use crate::scene::{LinkSize, PlanningScene, RobotChange, SceneChange, SceneStore};

/// Warnings of one description that are logged; the rest are counted.
const MAX_WARNINGS: usize = 20;

/// One of the texts that describe a robot. Its name is that of the topic and of the parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Urdf,
    Srdf,
    Sidecar,
}

impl Part {
    pub const ALL: [Part; 3] = [Part::Urdf, Part::Srdf, Part::Sidecar];

    pub fn name(self) -> &'static str {
        self.topic().name
    }

    pub fn topic(self) -> &'static Topic<Text> {
        match self {
            Part::Urdf => &ROBOT_DESCRIPTION,
            Part::Srdf => &ROBOT_DESCRIPTION_SEMANTIC,
            Part::Sidecar => &ROBOT_DESCRIPTION_SCS,
        }
    }

    fn parameter(self, settings: &Settings) -> &str {
        match self {
            Part::Urdf => &settings.robot_description,
            Part::Srdf => &settings.robot_description_semantic,
            Part::Sidecar => &settings.robot_description_scs,
        }
    }
}

/// The texts of a robot, and where its meshes are: everything that decides which robot it is.
#[derive(Debug, Clone, PartialEq)]
struct Wanted {
    texts: [Option<Arc<str>>; 3],
    folder: String,
    package_path: Vec<String>,
    mesh_policy: String,
    /// Whether to keep a second model for planning.
    levels: bool,
}

/// The descriptions received, and the robot made of them.
#[derive(Debug)]
pub(super) struct Descriptions {
    store: Arc<SceneStore>,
    second_model: Arc<SecondModel>,
    /// The last text of each topic.
    received: Mutex<[Option<Arc<str>>; 3]>,
    /// Held while a robot is read and put in place.
    state: Mutex<State>,
    refused: Mutex<Option<String>>,
    /// Rings when a text has arrived.
    pub updated: Bell,
}

#[derive(Debug)]
struct State {
    /// The settings that were accepted last.
    settings: Settings,
    /// What the present robot was read from, and how it was described.
    present: Option<(Wanted, PlanningScene)>,
    /// What was refused last: it is not tried again.
    refused: Option<Wanted>,
}

impl Descriptions {
    pub fn new(core: &Core, settings: &Settings) -> Self {
        let state = State { settings: settings.clone(), present: None, refused: None };
        Self {
            store: Arc::clone(&core.store),
            second_model: Arc::clone(&core.second_model),
            received: Mutex::default(),
            state: Mutex::new(state),
            refused: Mutex::default(),
            updated: Bell::default(),
        }
    }

    /// Takes a text of a topic, to be read by the thread that waits for the bell.
    pub fn on_text(&self, part: Part, text: &str) {
        lock(&self.received)[part as usize] = (!text.trim().is_empty()).then(|| text.into());
        self.updated.ring();
    }

    /// Reads the texts received from topics if they are new; whether there is a new robot.
    pub fn read_received(&self) -> Result<bool, String> {
        let mut state = lock(&self.state);
        let settings = state.settings.clone();
        self.apply_settings(&mut state, &settings)
    }

    /// Makes the settings that concern the robot take effect, or refuses them. Whether the scene was changed.
    pub fn accept(&self, next: &Settings) -> Result<bool, String> {
        let mut state = lock(&self.state);
        let mut changed = self.apply_settings(&mut state, next)?;
        let paddings =
            |settings: &Settings| (settings.default_padding, settings.default_self_padding);
        if !changed && paddings(next) != paddings(&state.settings) {
            let before = state.settings.clone();
            let padded = self.store.change(|scene| {
                let change = padding_change(scene, |_| false, &before, next);
                scene.apply(change).map_err(Unpadded::Refused)
            });
            match padded {
                Ok(_) => changed = true,
                Err(Unpadded::NoRobot) => {}
                Err(Unpadded::Refused(error)) => return Err(error.to_string()),
            }
        }
        state.settings = next.clone();
        Ok(changed)
    }

    /// The present robot as it was described, read again.
    pub fn described(&self) -> Option<Arc<LoadedRobot>> {
        let state = lock(&self.state);
        let (wanted, _) = state.present.as_ref()?;
        let text = |part: Part| wanted.texts[part as usize].as_deref();
        let options = state.settings.load_options(text(Part::Sidecar));
        match parse_urdf(text(Part::Urdf)?, Part::Urdf.name(), &options) {
            Ok(loaded) => Some(Arc::new(loaded)),
            Err(error) => {
                // A mesh file may be gone by now.
                tracing::warn!("the robot description cannot be read again: {error}");
                None
            }
        }
    }

    /// Masses and friction in the present robot's description.
    pub fn physics(&self) -> Result<UrdfPhysics, String> {
        let described = self.described().ok_or("the robot description cannot be read again")?;
        physics(&described.document).map_err(|error| error.to_string())
    }

    /// The bodies of one link of the present robot as it was described, or of all links, with the triangles of their meshes.
    pub fn geometry(
        &self,
        source: GeometrySource,
        link: Option<&str>,
    ) -> Result<Vec<LinkGeometry>, String> {
        let state = lock(&self.state);
        let (wanted, _) = state.present.as_ref().ok_or("there is no robot")?;
        let urdf = wanted.texts[Part::Urdf as usize].clone();
        let urdf = urdf.expect("the present robot was read from a URDF");
        let options = state.settings.load_options(None);
        // Reading meshes takes a while.
        drop(state);
        let (label, folder) = (Part::Urdf.name(), options.folder.as_deref());
        let is_wanted = |name: &str| link.is_none_or(|wanted| wanted == name);
        let found = link_geometry(&urdf, label, folder, source, &options, is_wanted);
        found.map_err(|error| error.to_string())
    }

    /// Why the last description was refused, unless it was followed by one that was not.
    pub fn refused(&self) -> Option<String> {
        lock(&self.refused).clone()
    }

    /// Adds to "no robot" why there is none.
    pub fn explain(&self, refusal: Refusal) -> Refusal {
        match self.refused() {
            Some(reason) if refusal.status == Status::NoRobot => {
                let message = format!("there is no robot: its description was refused: {reason}");
                Refusal { message, ..refusal }
            }
            Some(_) | None => refusal,
        }
    }

    fn apply_settings(&self, state: &mut State, settings: &Settings) -> Result<bool, String> {
        let wanted = self.wanted(settings);
        let present = state.present.as_ref().map(|(wanted, _)| wanted);
        if wanted.texts[Part::Urdf as usize].is_none() || present == Some(&wanted) {
            // The reason of a description that was refused and withdrawn is dropped.
            if present == Some(&wanted) {
                state.refused = None;
                *lock(&self.refused) = None;
            }
            return Ok(false);
        }
        if state.refused.as_ref() == Some(&wanted) {
            return Err(self.refused().expect("the reason is kept as long as the refused texts"));
        }
        match self.replace_robot(state, settings, &wanted) {
            Ok(fresh) => {
                state.present = Some((wanted, fresh));
                state.refused = None;
                *lock(&self.refused) = None;
                Ok(true)
            }
            Err(reason) => {
                tracing::error!("robot description refused: {reason}");
                state.refused = Some(wanted);
                *lock(&self.refused) = Some(reason.clone());
                Err(reason)
            }
        }
    }

    /// A parameter comes before the topic of its name.
    fn wanted(&self, settings: &Settings) -> Wanted {
        let received = lock(&self.received).clone();
        let text = |part: Part| match part.parameter(settings) {
            "" => received[part as usize].clone(),
            text => Some(text.into()),
        };
        Wanted {
            texts: Part::ALL.map(text),
            folder: settings.description_folder.clone(),
            package_path: settings.package_path.clone(),
            mesh_policy: settings.mesh_policy.clone(),
            levels: settings.planning_levels,
        }
    }

    /// Reads a robot and puts it in place; the robot as it was described.
    fn replace_robot(
        &self,
        state: &State,
        settings: &Settings,
        wanted: &Wanted,
    ) -> Result<PlanningScene, String> {
        let fresh = read(wanted, settings)?;
        let second = second_model(wanted, settings)?;
        let replaced = self.store.change_robot(|before| {
            let mut scene = fresh.clone();
            if let Some(before) = before {
                let described = state.present.as_ref().map_or(before, |(_, fresh)| fresh);
                scene = scene.in_place_of(before, described)?;
            }
            let is_new = |link: &str| before.is_none_or(|b| b.model().link_id(link).is_none());
            let change = padding_change(&scene, is_new, &state.settings, settings);
            scene.apply(change)?;
            Ok(scene)
        });
        let snapshot = replaced.map_err(|error: crate::scene::SceneError| error.to_string())?;
        match second {
            Some(collisions) => self.second_model.set(fresh.clone(), collisions),
            None => self.second_model.clear(),
        }
        let (model, (surfaces, pairs)) = (snapshot.scene.model(), snapshot.scene.robot_size());
        tracing::info!(
            "robot `{}`: {} links, {} variables, {surfaces} surfaces, {pairs} pairs looked at",
            model.name(),
            model.links().len(),
            model.position_count(),
        );
        Ok(fresh)
    }
}

/// A robot from its texts.
fn read(wanted: &Wanted, settings: &Settings) -> Result<PlanningScene, String> {
    let text = |part: Part| wanted.texts[part as usize].as_deref();
    let options = settings.load_options(text(Part::Sidecar));
    let urdf = text(Part::Urdf).expect("nothing is read without a URDF");
    let loaded = parse_urdf(urdf, Part::Urdf.name(), &options).map_err(|e| e.to_string())?;
    let mut warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    let (model, semantics) = match text(Part::Srdf) {
        None => (loaded.model, None),
        Some(text) => {
            let name = Part::Srdf.name();
            let srdf = Srdf::parse(text, name).map_err(|error| error.to_string())?;
            let of_robot = |error| format!("{name}: {error}");
            let model = srdf.with_virtual_joint(&loaded.model).map_err(of_robot)?;
            let (semantics, more) = srdf.resolve(&model).map_err(of_robot)?;
            warnings.extend(more.iter().map(|w| format!("{name}:{}: {}", w.line, w.message)));
            (model, Some(semantics))
        }
    };
    for warning in warnings.iter().take(MAX_WARNINGS) {
        tracing::warn!("{warning}");
    }
    if let Some(more) = warnings.len().checked_sub(MAX_WARNINGS).filter(|&more| more > 0) {
        tracing::warn!("and {more} more warnings about the description");
    }
    PlanningScene::new(Arc::new(model), semantics).map_err(|error| error.to_string())
}

/// The same robot with the collisions of the URDF, if it is wanted and has others.
fn second_model(wanted: &Wanted, settings: &Settings) -> Result<Option<PlanningScene>, String> {
    if !wanted.levels || wanted.texts[Part::Sidecar as usize].is_none() {
        return Ok(None);
    }
    let mut without_surfaces = wanted.clone();
    without_surfaces.texts[Part::Sidecar as usize] = None;
    read(&without_surfaces, settings).map(Some)
}

/// Why the default padding was not changed.
enum Unpadded {
    NoRobot,
    Refused(crate::scene::SceneError),
}

impl From<crate::scene::NoRobot> for Unpadded {
    fn from(_: crate::scene::NoRobot) -> Self {
        Unpadded::NoRobot
    }
}

/// Gives the default padding to links that are new or have the default of before.
fn padding_change(
    scene: &PlanningScene,
    is_new: impl Fn(&str) -> bool,
    before: &Settings,
    next: &Settings,
) -> SceneChange {
    let changed = |is_new: bool, has: f64, before: f64, next: f64| {
        if is_new || has == before { next } else { has }
    };
    let links = scene.model().links().iter().filter_map(|link| {
        let (name, has) = (&link.name, scene.sizes().link(&link.name));
        let new = is_new(name);
        let size = LinkSize {
            padding: changed(new, has.padding, before.default_padding, next.default_padding),
            self_padding: changed(
                new,
                has.self_padding,
                before.default_self_padding,
                next.default_self_padding,
            ),
            scale: has.scale,
        };
        (size != has).then(|| RobotChange::SetLinkSize { link: name.clone(), size })
    });
    SceneChange::several(links)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
