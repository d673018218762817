//! Takes the pictures of contacts for the documentation: both hands that hold an egg, a cloth over a terrain of 81 bodies, and the
//! game. Needs Chromium.
//!
//! ```text
//! cargo run --release -p smooth_scene_view --example contact_pictures -- docs
//! ```

mod pictures;

use pictures::{light_page, take};
use smooth_scene_scene::{SceneStore, WorldFile};
use smooth_scene_test_support::chromium::Browser;
use smooth_scene_test_support::{repository_file, viewer};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: contact_pictures FOLDER")?;
    let folder = Path::new(&folder);
    grasp(folder)?;
    terrain(folder);
    game(folder);
    Ok(())
}

/// The best grasp that the example `egg_grasp` found for both hands.
fn grasp(folder: &Path) -> Result<(), Box<dyn Error>> {
    let (store, view) = viewer::serve(|options| options.close_distance = 1e-3);
    add_egg(&store)?;
    let mut page = light_page(&view.url());
    page.wait_until("smoothScene.view.extent");
    let states = std::fs::read_to_string(repository_file("examples/files/egg_two_hands.csv"))?;
    let mut lines = states.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (names, values) = (lines.next().ok_or("no names")?, lines.next().ok_or("no state")?);
    let mut last = String::new();
    for (place, (name, value)) in names.iter().zip(&values).enumerate() {
        page.value(&format!(
            "smoothScene.connection.send({{do: 'set_joint', name: '{name}', value: {value}}})"
        ));
        last = format!("Math.abs(smoothScene.frame.positions[{place}] - {value}) < 1e-6");
    }
    page.wait_until(&last);
    look(&mut page, [-0.097, -0.041, 0.002], 0.42, [-1.0, 0.5]);
    take(&mut page, &folder.join("grasp_two_hands.png"));
    Ok(())
}

fn add_egg(store: &SceneStore) -> Result<(), Box<dyn Error>> {
    let world = WorldFile::load(repository_file("examples/files/egg.yaml"))?;
    store.change(|scene| world.add_to(scene).map_err(Box::<dyn Error>::from))?;
    Ok(())
}

/// The terrain of the thesis under a cloth.
fn terrain(folder: &Path) {
    let (_store, view) = viewer::serve_nothing();
    let mut page = light_page(&view.url());
    page.wait_until("window.smoothScene?.frame");
    page.value("document.querySelector('[data-do=cloth-terrain]').click()");
    page.wait_until("smoothScene.picture.objects.length === 82");
    page.value("smoothScene.view.look('home', false)");
    drop_cloth(&mut page, 81, 2.5);
    page.value("smoothScene.view.look('home', false)");
    take(&mut page, &folder.join("cloth_terrain.png"));
}

fn drop_cloth(page: &mut Browser, vertices: u32, seconds: f64) {
    page.value("document.querySelectorAll('#panel details').forEach((part) => (part.open = part.id === 'cloth-section'))");
    page.value(&format!(
        "document.querySelector('[data-field=cloth-vertices]').value = '{vertices}'"
    ));
    page.value("document.querySelector('[data-do=cloth-drop]').click()");
    page.wait_until(&format!("smoothScene.cloth.message?.time > {seconds}"));
    page.value("smoothScene.connection.send({do: 'cloth', act: {what: 'pause'}})");
    page.value("document.getElementById('cloth-section').scrollIntoView()");
}

/// The game with the bundled hands.
fn game(folder: &Path) {
    let (_store, view) = viewer::serve(|_| {});
    let mut page = light_page(&view.url());
    page.wait_until("smoothScene.view.extent");
    // The hands are apart where their movement begins.
    page.value("smoothScene.connection.send({do: 'seek', time: 0})");
    page.wait_until(
        "Number(document.body.dataset.time) === 0 && smoothScene.frame.in_collision === false",
    );
    page.value("document.getElementById('game-section').open = true");
    page.value("smoothScene.game.begin(7)");
    page.wait_until("smoothScene.game.state?.bodies.length > 2");
    page.value("smoothScene.game.send({ ask: 'pause', paused: true })");
    page.value("document.getElementById('game-section').scrollIntoView()");
    take(&mut page, &folder.join("sketch_game.png"));
}

/// Puts the camera somewhere at once: a target, the distance from it, and the angles from which it is seen.
fn look(page: &mut Browser, target: [f64; 3], distance: f64, [azimuth, elevation]: [f64; 2]) {
    page.value(&format!(
        "Object.assign(smoothScene.view.camera.goal, {{ target: {target:?}, distance: {distance}, azimuth: {azimuth}, elevation: {elevation} }}); smoothScene.view.redraw()"
    ));
}
