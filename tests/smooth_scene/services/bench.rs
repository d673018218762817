//! A node without a transport: services are called as the runtime calls them.
#![allow(dead_code)]

use std::sync::Arc;

use smooth_scene::convert::{Limits, Refusal};
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::node::{
    Cancellation, Context, JointMonitor, Request, Response, SecondModel, Service, Simulator,
};
use smooth_scene::query::QueryOptions;
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::robot::{LoadOptions, parse_urdf};
use smooth_scene::scene::{PlanningScene, SceneStore, Workspace};
use smooth_scene::transforms::Transforms;

pub const SECOND: i64 = 1_000_000_000;

/// An arm of two joints with a gripper, whose right finger follows the left one.
const ARM: &str = r#"<robot name="arm">
  <link name="base"><collision><origin xyz="0 0 0.05"/><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.04" length="0.36"/></geometry></collision></link>
  <link name="fore"><collision><origin xyz="0 0 0.15"/><geometry><cylinder radius="0.03" length="0.26"/></geometry></collision></link>
  <link name="hand"><collision><geometry><box size="0.04 0.1 0.03"/></geometry></collision></link>
  <link name="left"><collision><origin xyz="0 0 0.04"/><geometry><box size="0.02 0.01 0.06"/></geometry></collision></link>
  <link name="right"><collision><origin xyz="0 0 0.04"/><geometry><box size="0.02 0.01 0.06"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/></joint>
  <joint name="wrist" type="fixed"><parent link="fore"/><child link="hand"/><origin xyz="0 0 0.31"/></joint>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="left"/><origin xyz="0 0 0.015"/>
    <axis xyz="0 1 0"/><limit lower="0.01" upper="0.045" velocity="1" effort="1"/></joint>
  <joint name="grip_right" type="prismatic"><parent link="hand"/><child link="right"/><origin xyz="0 0 0.015"/>
    <axis xyz="0 -1 0"/><limit lower="0.01" upper="0.045" velocity="1" effort="1"/><mimic joint="grip"/></joint>
</robot>"#;

const ARM_SRDF: &str = r#"<robot name="arm">
  <group name="arm"><chain base_link="base" tip_link="hand"/></group>
  <group name="gripper"><link name="left"/><link name="right"/></group>
  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>
  <disable_collisions link1="upper" link2="fore" reason="Adjacent"/>
  <disable_collisions link1="fore" link2="hand" reason="Adjacent"/>
  <disable_collisions link1="hand" link2="left" reason="Adjacent"/>
  <disable_collisions link1="hand" link2="right" reason="Adjacent"/>
  <disable_collisions link1="upper" link2="hand" reason="Never"/>
</robot>"#;

/// A cart that drives in the plane, with a ball that flies.
const CART: &str = r#"<robot name="cart">
  <link name="chassis"><collision><geometry><box size="0.4 0.3 0.1"/></geometry></collision></link>
  <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="flight" type="floating"><parent link="chassis"/><child link="ball"/><origin xyz="0 0 1"/></joint>
</robot>"#;

const CART_SRDF: &str = r#"<robot name="cart">
  <group name="ball"><joint name="flight"/></group>
  <virtual_joint name="drive" type="planar" parent_frame="odom" child_link="chassis"/>
</robot>"#;

pub fn load(urdf: &str, srdf: &str) -> PlanningScene {
    let model = parse_urdf(urdf, "test", &LoadOptions::default()).unwrap().model;
    let srdf = Srdf::parse(srdf, "test").unwrap();
    let model = srdf.with_virtual_joint(&model).unwrap();
    let (semantics, warnings) = srdf.resolve(&model).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    PlanningScene::new(Arc::new(model), Some(semantics)).unwrap()
}

pub fn arm() -> PlanningScene {
    load(ARM, ARM_SRDF)
}

/// The arm with a fore arm that is 3 cm thicker all around.
pub fn thick_arm() -> PlanningScene {
    load(&ARM.replace("radius=\"0.03\"", "radius=\"0.06\""), ARM_SRDF)
}

pub fn cart() -> PlanningScene {
    load(CART, CART_SRDF)
}

pub fn joint_state(joints: &[(&str, f64)]) -> JointState {
    JointState {
        name: joints.iter().map(|(name, _)| name.to_string()).collect(),
        position: joints.iter().map(|&(_, position)| position).collect(),
        ..JointState::default()
    }
}

/// The state of the arm in which nothing touches.
pub fn open_arm() -> JointState {
    joint_state(&[("shoulder", 0.3), ("elbow", 0.7), ("grip", 0.03)])
}

#[derive(Default)]
pub struct Bench {
    pub store: SceneStore,
    pub second_model: SecondModel,
    pub joints: JointMonitor,
    pub transforms: Transforms,
    pub limits: Limits,
    pub query: QueryOptions,
    pub planning: Arc<Cancellation>,
    pub fitting: Arc<Cancellation>,
    pub simulator: Arc<Simulator>,
    pub workspace: Workspace,
    pub now: i64,
}

impl Bench {
    /// No robot yet.
    pub fn empty() -> Self {
        Self { now: 100 * SECOND, ..Self::default() }
    }

    /// A robot whose joints are not known yet.
    pub fn with(scene: PlanningScene) -> Self {
        let bench = Self::empty();
        bench.store.replace_robot(scene);
        bench
    }

    /// The arm, standing open.
    pub fn arm() -> Self {
        let bench = Self::with(arm());
        bench.joints.update(&open_arm(), bench.now).unwrap();
        bench
    }

    pub fn scene(&self) -> PlanningScene {
        self.store.snapshot().unwrap().scene.clone()
    }

    pub fn context(&mut self) -> Context<'_> {
        Context {
            store: &self.store,
            second_model: &self.second_model,
            joints: &self.joints,
            transforms: &self.transforms,
            now: self.now,
            max_state_age: SECOND,
            limits: &self.limits,
            query: &self.query,
            planning: &self.planning,
            fitting: &self.fitting,
            simulator: &self.simulator,
            workspace: &mut self.workspace,
        }
    }

    /// What a client gets.
    pub fn ask<S: Service>(&mut self, service: &S, request: Request<S>) -> Response<S> {
        match service.handle(&mut self.context(), request) {
            Ok(response) => response,
            Err(refusal) => service.refuse(refusal),
        }
    }

    /// Why a request is refused.
    pub fn refusal<S: Service>(&mut self, service: &S, request: Request<S>) -> Refusal {
        match service.handle(&mut self.context(), request) {
            Ok(_) => panic!("not refused"),
            Err(refusal) => refusal,
        }
    }
}
