//! `/tf` and `/tf_static`: where frames are that the scene does not know.

use std::sync::Arc;

use super::clock::from_message;
use super::core::Core;
use super::log::Throttle;
use super::scene_node::SceneNode;
use super::topics::table::{TF, TF_STATIC};
use crate::convert::Refusal;
use crate::convert::frames::plain;
use crate::convert::pose::transform;
use crate::interfaces::geometry_msgs::msg::TransformStamped;
use crate::transforms::Validity;
use crate::transport::TransportError;

impl SceneNode {
    /// Subscribes to both topics, unless the parameters say otherwise.
    pub(super) fn subscribe_to_transforms(&self) -> Result<(), TransportError> {
        if !self.core.parameters.settings().tf.enabled {
            return Ok(());
        }
        let moving = |message: &TransformStamped| Validity::At(from_message(&message.header.stamp));
        self.subscribe_to_transforms_of(&TF, moving)?;
        self.subscribe_to_transforms_of(&TF_STATIC, |_| Validity::Static)
    }

    fn subscribe_to_transforms_of(
        &self,
        topic: &super::topics::Topic<crate::interfaces::tf2_msgs::msg::TFMessage>,
        validity: impl Fn(&TransformStamped) -> Validity + Send + 'static,
    ) -> Result<(), TransportError> {
        let core = Arc::clone(&self.core);
        let (name, count) = (topic.name, core.counters.topic(topic.name));
        let throttle = Throttle::default();
        topic.subscribe(&*self.transport, move |decoded| {
            count.receive();
            let refuse = |reason: &dyn std::fmt::Display| {
                count.refuse();
                if let Some(more) = throttle.admit() {
                    tracing::warn!("{name}: transform refused: {reason}{more}");
                }
            };
            let message = match decoded {
                Ok(message) => message,
                Err(error) => return refuse(&error),
            };
            // One bad transform says nothing about the others of its message.
            for each in &message.transforms {
                if let Err(refusal) = take(&core, each, validity(each)) {
                    refuse(&refusal);
                }
            }
            core.transforms.announce();
        })
    }
}

fn take(core: &Core, message: &TransformStamped, validity: Validity) -> Result<(), Refusal> {
    let (parent, child) = (plain(&message.header.frame_id), plain(&message.child_frame_id));
    let what = || format!("the transform from `{child}` to `{parent}`");
    let turn = &message.transform.rotation;
    if [turn.x, turn.y, turn.z, turn.w] == [0.0; 4] {
        return Err(Refusal::bad_request(format!("rotation of {} is all zeros", what())));
    }
    let pose = transform(&message.transform, &what)?;
    let keep = core.parameters.settings().tf.cache_ns();
    let mut buffer = core.transforms.buffer();
    buffer.insert(parent, child, pose, validity, keep).map_err(Refusal::bad_request)
}
