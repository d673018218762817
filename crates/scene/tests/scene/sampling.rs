//! The proposal of an SRDF.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use smooth_scene_robot::srdf::Srdf;
use smooth_scene_scene::{
    CheckRequest, PairLevel, PlanningScene, ProposalOptions, Reason, SceneError, Workspace, propose,
};

use smooth_scene_test_support::hands;

#[test]
fn proposed_pairs_are_what_counting_contacts_says() {
    let model = Arc::new(hands::two_hands(0.12));
    let options = ProposalOptions { samples: 1500, ..ProposalOptions::default() };
    let mut told = Vec::new();
    let proposal =
        propose(&model, &options, |done| told.push(done), &AtomicBool::new(false)).unwrap();
    assert_eq!(told, [1024, 1500]);
    // The same states again, through the question for contacts.
    let scene = PlanningScene::new(model.clone(), None).unwrap();
    let states = hands::random_states(&model, 1500, options.seed);
    let contacts =
        scene.states_contacts(&states, &CheckRequest::default(), PairLevel::Bodies).unwrap();
    let count = |links: [smooth_scene_robot::LinkId; 2]| {
        let ids = links.map(smooth_scene_scene::BodyId::Link);
        contacts.iter().flatten().filter(|p| [p.body_a, p.body_b] == ids).count()
    };
    assert!(proposal.checked.len() > 5);
    for (links, contacts) in &proposal.checked {
        assert_eq!(count(*links), *contacts);
    }
    for pair in &proposal.pairs {
        match pair.reason {
            Reason::Adjacent => {}
            Reason::Never => assert_eq!(count(pair.links), 0),
            _ => assert_eq!(count(pair.links), pair.contacts),
        }
    }
    assert_eq!(proposal.pairs.len() + proposal.checked.len(), 44 * 43 / 2);

    let mut srdf = Srdf { robot: "two_hands".into(), ..Srdf::default() };
    proposal.write_into(&model, &mut srdf);
    let (semantics, warnings) =
        Srdf::parse(&srdf.to_xml(), "made").unwrap().resolve(&model).unwrap();
    assert!(warnings.is_empty());
    let scene = PlanningScene::new(model.clone(), Some(semantics)).unwrap();
    assert_eq!(scene.robot_size(), (44, proposal.checked.len()));
    // What is never seen to touch is not looked at; what is seen is, as before.
    let q = &states[0];
    let mut out = Vec::new();
    scene
        .contacts(q, &CheckRequest::default(), PairLevel::Bodies, &mut Workspace::cold(), &mut out)
        .unwrap();
    let cancelled = propose(&model, &options, |_| {}, &AtomicBool::new(true));
    assert_eq!(cancelled, Err(SceneError::Cancelled));
}
