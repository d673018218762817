//! The definitions of the messages that are recorded, with all they consist of, so that a recording explains
//! itself. Written by `tests/robots/message_definitions.py . write`.

/// A message type as recordings describe it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Its name, such as `sensor_msgs/msg/JointState`.
    pub type_name: &'static str,
    /// Its fields and those of all types in it.
    pub text: &'static str,
    /// The hash of its description, by which ROS 2 tells versions apart.
    pub hash: &'static str,
}

/// The definition of a type, if it is one of those that are recorded.
pub fn definition(type_name: &str) -> Option<&'static Definition> {
    ALL.iter().find(|definition| definition.type_name == type_name)
}

const ALL: [Definition; 7] = [
    Definition {
        type_name: "diagnostic_msgs/msg/DiagnosticArray",
        text: include_str!("definitions/diagnostic_msgs__msg__DiagnosticArray.txt"),
        hash: "RIHS01_5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e",
    },
    Definition {
        type_name: "rosgraph_msgs/msg/Clock",
        text: include_str!("definitions/rosgraph_msgs__msg__Clock.txt"),
        hash: "RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564",
    },
    Definition {
        type_name: "sensor_msgs/msg/JointState",
        text: include_str!("definitions/sensor_msgs__msg__JointState.txt"),
        hash: "RIHS01_a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e",
    },
    Definition {
        type_name: "smooth_scene/msg/ProximityArray",
        text: include_str!("definitions/smooth_scene__msg__ProximityArray.txt"),
        hash: "RIHS01_923cf0b9cdab8ff4bb43eef8dd9228eab926058efdba402d62898f0a03676026",
    },
    Definition {
        type_name: "std_msgs/msg/String",
        text: include_str!("definitions/std_msgs__msg__String.txt"),
        hash: "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18",
    },
    Definition {
        type_name: "tf2_msgs/msg/TFMessage",
        text: include_str!("definitions/tf2_msgs__msg__TFMessage.txt"),
        hash: "RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
    },
    Definition {
        type_name: "visualization_msgs/msg/MarkerArray",
        text: include_str!("definitions/visualization_msgs__msg__MarkerArray.txt"),
        hash: "RIHS01_86cb8800b6fb05b5eff1abd7a56f62a5641d3ae9a1c29e78e67e704f1d067dcf",
    },
];
