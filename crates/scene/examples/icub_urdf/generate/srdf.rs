//! The SRDF that all representations of a robot share.

use std::fmt::Write;

use super::Carrier;
use super::sampled_pairs::Reasons;
use super::source::Source;

const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "little"];

/// Angles of a closing hand; equal where the coupled hand wants them equal.
pub const GRASP: [(&str, f64); 16] = [
    ("thumb_oppose", 1.2),
    ("thumb_flex_1", 0.2),
    ("thumb_flex_2", 0.3),
    ("thumb_flex_3", 0.3),
    ("index_flex_1", 0.6),
    ("index_flex_2", 0.6),
    ("index_flex_3", 0.6),
    ("middle_flex_1", 0.5),
    ("middle_flex_2", 0.4),
    ("middle_flex_3", 0.4),
    ("ring_flex_1", 0.6),
    ("ring_flex_2", 0.6),
    ("ring_flex_3", 0.6),
    ("little_flex_1", 0.6),
    ("little_flex_2", 0.6),
    ("little_flex_3", 0.6),
];

/// The file for a robot.
pub fn text(source: &Source, carrier: Carrier, pairs: &Reasons) -> String {
    let name = carrier.stem();
    let mut out = format!(
        "<?xml version=\"1.0\"?>
<!-- Written by crates/scene/examples/icub_urdf; do not edit. For all representations of {name}.

  disable_collisions were found by sampling: 4000 random states of the superellipsoid and of the mixed hands, 200 of the
  superovoid ones, half of them with many joints at their limits. Adjacent links touch by construction, Default ones
  overlap when the hand is open, Always ones in every sampled state, Never ones stay 5 mm apart in every sampled state.
  Right and left links are always checked against each other. -->
<robot name=\"{name}\">
"
    );
    if carrier == Carrier::Arms {
        out += "  <virtual_joint name=\"world_joint\" type=\"fixed\" parent_frame=\"world\" child_link=\"base_link\"/>\n";
        out += &chain("torso", "base_link", "chest");
    }
    for side in ["r", "l"] {
        out += &groups(side, carrier);
    }
    out += "  <group name=\"both_hands\">\n    <group name=\"r_hand\"/>\n    <group name=\"l_hand\"/>\n  </group>\n";
    for side in ["r", "l"] {
        out += &states(source, side);
        let parent = if carrier == Carrier::Arms { "arm" } else { "base" };
        let _ = writeln!(
            out,
            r#"  <end_effector name="{side}_hand_effector" parent_link="{side}_palm" group="{side}_fingers" parent_group="{side}_{parent}"/>"#
        );
    }
    for side in ["r", "l"] {
        for ((a, b), reason) in pairs {
            let _ = writeln!(
                out,
                r#"  <disable_collisions link1="{side}_{a}" link2="{side}_{b}" reason="{reason}"/>"#
            );
        }
    }
    out + "</robot>\n"
}

fn chain(name: &str, base: &str, tip: &str) -> String {
    format!(
        "  <group name=\"{name}\">\n    <chain base_link=\"{base}\" tip_link=\"{tip}\"/>\n  </group>\n"
    )
}

/// Fingers, all fingers, the hand with its palm, and what carries it.
fn groups(side: &str, carrier: Carrier) -> String {
    let mut out = String::new();
    for finger in FINGERS {
        let tip = if finger == "thumb" { 4 } else { 3 };
        let name = format!("{side}_{finger}");
        out += &chain(&name, &format!("{side}_palm"), &format!("{name}_{tip}"));
    }
    let _ = writeln!(out, "  <group name=\"{side}_fingers\">");
    for finger in FINGERS {
        let _ = writeln!(out, "    <group name=\"{side}_{finger}\"/>");
    }
    out += "  </group>\n";
    let _ = writeln!(out, "  <group name=\"{side}_hand\">");
    let _ = writeln!(out, "    <link name=\"{side}_palm\"/>\n    <group name=\"{side}_fingers\"/>");
    out += "  </group>\n";
    let palm = format!("{side}_palm");
    match carrier {
        Carrier::SixJoints => out += &chain(&format!("{side}_base"), "world", &palm),
        Carrier::Arms => {
            out += &chain(&format!("{side}_arm"), "shoulders", &palm);
            let _ = writeln!(out, "  <group name=\"{side}_arm_hand\">");
            let _ = writeln!(out, "    <group name=\"{side}_arm\"/>");
            let _ = writeln!(out, "    <group name=\"{side}_fingers\"/>");
            out += "  </group>\n";
        }
    }
    out
}

/// The open hand, and a closing one.
fn states(source: &Source, side: &str) -> String {
    let mut out = String::new();
    let movable = source.joints.right_hand.iter().filter(|row| row.axis.is_some());
    let names: Vec<&str> = movable.map(|row| &row.joint[2..]).collect();
    let open: Vec<(&str, f64)> = names.iter().map(|name| (*name, 0.0)).collect();
    for (state, angles) in [("open", &open[..]), ("grasp", &GRASP[..])] {
        let _ = writeln!(out, "  <group_state name=\"{state}\" group=\"{side}_fingers\">");
        for (joint, angle) in angles {
            let _ = writeln!(out, r#"    <joint name="{side}_{joint}" value="{angle}"/>"#);
        }
        out += "  </group_state>\n";
    }
    out
}
