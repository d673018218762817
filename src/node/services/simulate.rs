//! Moves the scene as its masses and forces want.

use crate::convert::pose::point;
use crate::convert::{Refusal, Status};
use crate::dynamics::{
    Integrator, Material, PlayFrame, PlayOrder, PlayState, SceneSimulationOptions,
};
use crate::interfaces::geometry_msgs::msg::{Point, Vector3};
use crate::interfaces::sensor_msgs::msg::JointState;
use crate::interfaces::srv::{self, SimulateRequest, SimulateResponse};
use crate::math::Vec3;
use crate::node::{Context, Service};

/// Longest step or push, s of simulated time.
const LONGEST: f64 = 3600.0;

/// `~/simulate`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Simulate;

impl Service for Simulate {
    type Type = srv::Simulate;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: SimulateRequest,
    ) -> Result<SimulateResponse, Refusal> {
        let simulator = context.simulator;
        let frame = match request.command {
            SimulateRequest::STATUS => simulator.frame(),
            SimulateRequest::START => Some(start(context, &request)?),
            SimulateRequest::PLAY => Some(play(context, &request)?),
            SimulateRequest::PAUSE => Some(simulator.order(PlayOrder::Pause)?),
            SimulateRequest::STEP => {
                let seconds = duration(request.seconds)?;
                Some(simulator.order(PlayOrder::Step(seconds))?)
            }
            SimulateRequest::RESET => Some(simulator.order(PlayOrder::Reset)?),
            SimulateRequest::PUSH => Some(push(context, &request)?),
            SimulateRequest::STOP => {
                simulator.stop();
                None
            }
            other => {
                return Err(Refusal::bad_request(format!("command is {other}, must be 0 to 7")));
            }
        };
        Ok(response(frame))
    }

    fn refuse(&self, refusal: Refusal) -> SimulateResponse {
        SimulateResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..SimulateResponse::default()
        }
    }

    fn refusal(response: &SimulateResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

fn start(context: &Context<'_>, request: &SimulateRequest) -> Result<PlayFrame, Refusal> {
    let snapshot = context.snapshot()?;
    check_rate(request.rate)?;
    let bad = |reason: String| Err(Refusal::bad_request(reason));
    // Written so that NaN is refused too.
    if !(request.hold >= 0.0 && request.hold.is_finite()) {
        return bad(format!("hold is {}, must be 0 or more and finite", request.hold));
    }
    if !(request.step >= 0.0 && request.step.is_finite()) {
        return bad(format!("step is {}, must be 0 or more and finite", request.step));
    }
    let options = SceneSimulationOptions {
        density: request.density,
        material: Material {
            young: request.young,
            restitution: request.restitution,
            friction: request.friction,
            ..Material::default()
        },
        hold: (request.hold > 0.0).then_some(request.hold),
        integrator: match request.step {
            step if step > 0.0 => Integrator::SemiImplicit(step),
            _ => Integrator::Adaptive(request.tolerance),
        },
        fixed: request.fixed.clone(),
    };
    let positions = context.positions(&snapshot, &JointState::default())?;
    context.simulator.start(&snapshot, positions, &options)?;
    play(context, request)
}

fn play(context: &Context<'_>, request: &SimulateRequest) -> Result<PlayFrame, Refusal> {
    check_rate(request.rate)?;
    if request.rate == 0.0 {
        return context.simulator.order(PlayOrder::Pause);
    }
    context.simulator.order(PlayOrder::Rate(request.rate))?;
    context.simulator.order(PlayOrder::Play)
}

fn push(context: &Context<'_>, request: &SimulateRequest) -> Result<PlayFrame, Refusal> {
    let at = point(&request.point, &|| "point".to_owned())?;
    let [force, impulse] =
        [("force", &request.force), ("impulse", &request.impulse)].map(|(name, given)| {
            let Vector3 { x, y, z } = *given;
            point(&Point { x, y, z }, &|| name.to_owned())
        });
    let (force, impulse) = (force?, impulse?);
    if force == Vec3::zeros() && impulse == Vec3::zeros() {
        return Err(Refusal::bad_request("force and impulse are zero, one must not be"));
    }
    let force = match force == Vec3::zeros() {
        true => None,
        false => Some((force, duration(request.seconds)?)),
    };
    context.simulator.push(&request.body, at, force, impulse)
}

/// A length of simulated time.
fn duration(seconds: f64) -> Result<f64, Refusal> {
    if seconds > 0.0 && seconds <= LONGEST {
        return Ok(seconds);
    }
    Err(Refusal::bad_request(format!("seconds is {seconds}, must be above 0 and at most {LONGEST}")))
}

fn check_rate(rate: f64) -> Result<(), Refusal> {
    if rate >= 0.0 {
        return Ok(());
    }
    Err(Refusal::bad_request(format!("rate is {rate}, must be 0 or more")))
}

fn response(frame: Option<PlayFrame>) -> SimulateResponse {
    let mut response = SimulateResponse::default();
    if let Some(frame) = frame {
        (response.state, response.reason) = match frame.state {
            PlayState::Playing => (SimulateResponse::PLAYING, String::new()),
            PlayState::Paused => (SimulateResponse::PAUSED, String::new()),
            PlayState::Failed(reason) => (SimulateResponse::FAILED, reason),
        };
        (response.time, response.steps, response.speed) = (frame.time, frame.steps, frame.speed);
        [response.kinetic, response.potential, response.stored] = frame.energies;
    }
    response.status = Status::Ok as u8;
    response
}
