use super::*;
use crate::{JointKind, JointLimits, JointSpec, LinkSpec, RobotModel};
use smooth_scene_geometry::math::{Pose, Vec3};

fn joint(name: &str, parent: &str, child: &str) -> JointSpec {
    JointSpec {
        name: name.into(),
        kind: JointKind::Revolute,
        parent: parent.into(),
        child: child.into(),
        origin: Pose::identity(),
        axis: Vec3::z(),
        limits: JointLimits::NONE,
        mimic: None,
    }
}

/// base – a – b – c, and base – d.
fn robot() -> RobotModel {
    let links = ["base", "a", "b", "c", "d"];
    let links = links.map(|name| LinkSpec { name: name.into(), collisions: vec![] }).to_vec();
    let joints = vec![
        joint("ja", "base", "a"),
        joint("jb", "a", "b"),
        joint("jc", "b", "c"),
        joint("jd", "base", "d"),
    ];
    RobotModel::new("r".into(), links, joints).unwrap()
}

const FULL: &str = r#"<?xml version="1.0"?>
<robot xmlns:x="urn:other" name="r">
  <group name="arm"><chain base_link="base" tip_link="b"/></group>
  <group name="all"><group name="arm"/><joint name="jc"/><link name="d"/></group>
  <group name="across"><chain base_link="d" tip_link="a"/></group>
  <group_state name="home" group="arm"><joint name="ja" value="0.5"/><joint name="nope" value="1"/></group_state>
  <virtual_joint name="stand" type="planar" parent_frame="world" child_link="base"/>
  <end_effector name="hand" group="all" parent_link="c" parent_group="arm"/>
  <passive_joint name="jd"/>
  <x:unknown/>
  <disable_default_collisions link="d"/>
  <enable_collisions link1="d" link2="a"/>
  <enable_collisions link1="d" link2="b"/>
  <disable_collisions link1="b" link2="d" reason="Never &lt;seen&gt;"/>
  <disable_collisions link1="b" link2="ghost"/>
</robot>"#;

fn names(model: &RobotModel, group: &PlanningGroup) -> Vec<String> {
    group.joints.iter().map(|&j| model.joint(j).name.clone()).collect()
}

#[test]
fn groups_are_chains_links_joints_and_groups() {
    let model = robot();
    let (semantics, warnings) = Srdf::parse(FULL, "f").unwrap().resolve(&model).unwrap();
    let joints = |name| names(&model, semantics.group(name).unwrap());
    assert_eq!(joints("arm"), ["ja", "jb"]);
    assert_eq!(joints("all"), ["ja", "jb", "jc", "jd"]);
    assert_eq!(joints("across"), ["ja", "jd"]);
    assert_eq!(semantics.states[0].joints.len(), 1);
    assert_eq!(semantics.end_effectors[0].parent_group.as_deref(), Some("arm"));
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "line 10: <unknown> is not known and not used",
            "line 6: group_state `home`: the robot has no joint `nope`",
            "line 15: disable_collisions: the robot has no link `ghost`"
        ]
    );
}

#[test]
fn enabled_pairs_come_before_disabled_ones() {
    let model = robot();
    let (semantics, _) = Srdf::parse(FULL, "f").unwrap().resolve(&model).unwrap();
    let rules: Vec<(bool, Option<&str>)> =
        semantics.pair_rules.iter().map(|r| (r.allowed, r.reason.as_deref())).collect();
    assert_eq!(rules, [(false, None), (false, None), (true, Some("Never <seen>"))]);
    assert_eq!(semantics.allowed_by_default, [model.link_id("d").unwrap()]);
}

#[test]
fn what_is_written_reads_back() {
    fn without_lines(text: &str) -> String {
        Srdf::parse(text, "f").unwrap().to_xml()
    }
    let once = without_lines(FULL);
    assert_eq!(once, without_lines(&once));
    assert!(once.contains("reason=\"Never &lt;seen&gt;\""), "{once}");
    let (a, b) = (Srdf::parse(FULL, "f").unwrap(), Srdf::parse(&once, "f").unwrap());
    let model = robot();
    assert_eq!(a.resolve(&model).unwrap().0, b.resolve(&model).unwrap().0);
}

#[test]
fn a_virtual_joint_adds_a_root() {
    let model = Srdf::parse(FULL, "f").unwrap().with_virtual_joint(&robot()).unwrap();
    assert_eq!(model.link(model.root()).name, "world");
    assert_eq!(model.variable_names()[..3], ["stand/x", "stand/y", "stand/theta"]);
    let elsewhere = FULL.replace("child_link=\"base\"", "child_link=\"a\"");
    let error = Srdf::parse(&elsewhere, "f").unwrap().with_virtual_joint(&robot()).unwrap_err();
    let expected = "line 7: virtual_joint `stand`: child_link `a` is not the root of the robot, which is `base`";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn faults_are_named_with_their_line() {
    let cases = [
        ("<robot name='r'>", "f:1: the root node was opened but never closed"),
        ("<robot/>", "f:1: <robot> has no attribute `name`"),
        ("<model/>", "f:1: the root element is <model>, must be <robot>"),
        ("<robot name='r'>\n<group/></robot>", "f:2: <group> has no attribute `name`"),
        (
            "<robot name='r'>\n<virtual_joint name='v' type='ball' parent_frame='w' child_link='b'/></robot>",
            "f:2: <virtual_joint> type is \"ball\", must be fixed, planar or floating",
        ),
        (
            "<robot name='r'><group_state name='s' group='g'><joint name='j' value='NaN'/></group_state></robot>",
            "f:1: <joint> value is \"NaN\", must be one to sixteen finite numbers",
        ),
        (
            "<robot name='r'><group name='g'/>\n<group name='g'/></robot>",
            "f:2: group `g` is defined twice",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(Srdf::parse(text, "f").unwrap_err().to_string(), message);
    }
    let laughs = "<!DOCTYPE robot [<!ENTITY a 'aa'>]><robot name='&a;'/>";
    assert!(matches!(Srdf::parse(laughs, "f"), Err(SrdfError::Xml { .. })));
}

#[test]
fn groups_that_contain_themselves_are_refused() {
    let ring = "<robot name='r'><group name='a'><group name='b'/></group>\n<group name='b'><group name='a'/></group></robot>";
    let error = Srdf::parse(ring, "f").unwrap().resolve(&robot()).unwrap_err().to_string();
    assert_eq!(error, "line 1: group `a` contains itself: a → b → a");
}

#[test]
fn deep_and_wide_files_are_read_in_bounded_time() {
    let deep = format!("<robot name='r'>{}{}</robot>", "<x>".repeat(50_000), "</x>".repeat(50_000));
    let _ = Srdf::parse(&deep, "f");
    let mut lattice = String::from("<robot name='r'>");
    for k in 0..3000 {
        lattice += &format!(
            "<group name='g{k}'><group name='g{0}'/><group name='g{0}'/></group>\n",
            k + 1
        );
    }
    lattice += "</robot>";
    let (semantics, warnings) = Srdf::parse(&lattice, "f").unwrap().resolve(&robot()).unwrap();
    assert_eq!(semantics.groups.len(), 3000);
    assert!(!warnings.is_empty());
}

#[test]
fn a_state_of_no_group_is_one_of_the_whole_robot() {
    let text =
        "<robot name='r'><group_state name='s'><joint name='ja' value='1'/></group_state></robot>";
    let srdf = Srdf::parse(text, "f").unwrap();
    let (semantics, warnings) = srdf.resolve(&robot()).unwrap();
    assert_eq!(semantics.states[0].joints.len(), 1);
    let expected = "line 1: group_state `s`: no group named, taken for the whole robot";
    assert_eq!(warnings[0].to_string(), expected);
    assert!(Srdf::parse("<robot name='r'><group_state/></robot>", "f").is_err());
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = |name: &str| {
        let (open, close) = (format!("<{name} name='g'>"), format!("</{name}>"));
        format!("<robot name='r'>{}{}</robot>", open.repeat(100_000), close.repeat(100_000))
    };
    // In a small thread, so that recursion could not hide in a large stack.
    let parse = |text: String| {
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        thread.spawn(move || Srdf::parse(&text, "f").map(|srdf| srdf.groups.len())).unwrap().join()
    };
    assert_eq!(parse(deep("x")).unwrap(), Ok(0));
    assert_eq!(parse(deep("group")).unwrap(), Ok(1));
}

#[test]
fn files_are_read_and_faults_in_them_named() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../urdf/icub_hands.srdf");
    assert_eq!(Srdf::load(path).unwrap().robot, "icub_hands");
    let error = Srdf::load("nowhere.srdf").unwrap_err().to_string();
    assert!(error.starts_with("nowhere.srdf: "), "{error}");
}
