//! The bundled hands behind a view, and a viewer without a browser.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::repository_file;
use serde_json::Value;
use smooth_scene_geometry::Shape;
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{
    GeometryBody, GeometrySource, LinkGeometry, LoadOptions, RobotModel, link_geometry,
    load_trajectory, load_urdf, parse_urdf,
};
use smooth_scene_scene::{PlanningScene, SceneStore};
use smooth_scene_view::{ViewHost, ViewOptions, ViewServer};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// The hands and their movement, standing still at its beginning.
pub fn hands(urdf: &str) -> (Arc<SceneStore>, ViewHost) {
    let robot = load_urdf(repository_file("urdf").join(urdf), &LoadOptions::default()).unwrap();
    let model = Arc::new(robot.model.clone());
    let srdf = Srdf::load(repository_file("urdf/icub_hands.srdf")).unwrap();
    let semantics = srdf.resolve(&model).unwrap().0;
    let store = Arc::new(SceneStore::default());
    store.replace_robot(PlanningScene::new(Arc::clone(&model), Some(semantics)).unwrap());
    let movement = load_trajectory(repository_file("config/two_hand_grasp.yaml"), &model).ok();
    let robot = Arc::new(robot);
    let host = ViewHost {
        movement,
        described: Some(Arc::new(move || Some(Arc::clone(&robot)))),
        between: [vec!["r_hand".into()], vec!["l_hand".into()]],
        ..ViewHost::new(Arc::clone(&store))
    };
    (store, host)
}

pub fn serve(change: impl FnOnce(&mut ViewOptions)) -> (Arc<SceneStore>, ViewServer) {
    let (store, host) = hands("icub_hands_mixed.urdf");
    let mut options = ViewOptions { playing: false, ..ViewOptions::default() };
    change(&mut options);
    (store, ViewServer::start(host, options).unwrap())
}

/// What the links of a robot with meshes look like, for want of better: the hulls of their collision meshes, a tenth larger.
fn grown_hulls(model: &RobotModel) -> Vec<LinkGeometry> {
    let mut found = Vec::new();
    for id in model.link_ids() {
        let link = model.link(id);
        for surface in &link.collisions {
            let Shape::ConvexMesh(mesh) = &surface.shape else { continue };
            let corner = |k: u32| 1.1 * mesh.vertices()[k as usize];
            let triangles = mesh.triangles().iter().map(|t| t.map(corner)).collect();
            found.push(LinkGeometry {
                link: link.name.clone(),
                pose_in_link: surface.pose_in_link,
                body: GeometryBody::Mesh { file: Default::default(), triangles },
            });
        }
    }
    found
}

/// Somebody's robot, at rest and alone in the world, behind a view.
pub fn serve_robot(urdf: &Path) -> (Arc<SceneStore>, ViewServer) {
    let robot = Arc::new(load_urdf(urdf, &LoadOptions::default()).unwrap());
    let store = Arc::new(SceneStore::default());
    store.replace_robot(PlanningScene::new(Arc::new(robot.model.clone()), None).unwrap());
    let (read, folder) = (Arc::clone(&robot), urdf.parent().map(Path::to_path_buf));
    let host = ViewHost {
        geometry: Some(Arc::new(move |source, link| match source {
            GeometrySource::Visual => Ok(grown_hulls(&read.model)),
            GeometrySource::Collision => {
                let (text, options) = (read.document.text(), LoadOptions::default());
                let is_wanted = |name: &str| link.is_none_or(|wanted| wanted == name);
                link_geometry(text, "the robot", folder.as_deref(), source, &options, is_wanted)
                    .map_err(|error| error.to_string())
            }
        })),
        described: Some(Arc::new(move || Some(Arc::clone(&robot)))),
        ..ViewHost::new(Arc::clone(&store))
    };
    let view = ViewServer::start(host, ViewOptions::default()).unwrap();
    (store, view)
}

/// A robot of one link without a surface behind a view: what `smooth_scene demo --sketch` starts with.
pub fn serve_nothing() -> (Arc<SceneStore>, ViewServer) {
    let text = "<robot name=\"sketch\"><link name=\"base_link\"/></robot>";
    let robot = parse_urdf(text, "nothing", &LoadOptions::default()).unwrap();
    let store = Arc::new(SceneStore::default());
    store.replace_robot(PlanningScene::new(Arc::new(robot.model), None).unwrap());
    let view = ViewServer::start(ViewHost::new(Arc::clone(&store)), ViewOptions::default());
    (store, view.unwrap())
}

/// How long anything may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A viewer.
pub struct Viewer {
    pub socket: WebSocket<TcpStream>,
}

impl Viewer {
    pub fn connect(address: SocketAddr) -> Self {
        Self::connect_from(address, None).unwrap()
    }

    /// A viewer that says which page it is on.
    pub fn connect_from(address: SocketAddr, origin: Option<&str>) -> Result<Self, String> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!("ws://{address}/view").into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let connected = tungstenite::client(request, stream);
        connected.map(|(socket, _)| Self { socket }).map_err(|error| error.to_string())
    }

    pub fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The next message of this kind that pleases.
    pub fn wait_for(&mut self, kind: &str, pleases: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let message = match self.socket.read() {
                // A process that was stopped and goes on: reads with a time limit end.
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {
                    continue;
                }
                message => message.unwrap(),
            };
            let Message::Text(text) = message else { continue };
            let value: Value = serde_json::from_str(&text).unwrap();
            if value["kind"] == kind && pleases(&value) {
                return value;
            }
        }
        panic!("no such {kind} within {PATIENCE:?}");
    }

    /// Sends something that has to be refused, and returns the reason.
    pub fn refusal_of(&mut self, text: &str) -> String {
        self.send(text);
        self.wait_for("refused", |_| true)["reason"].as_str().unwrap().to_owned()
    }
}

/// The answer to a plain request.
pub fn get(address: SocketAddr, path: &str, headers: &str) -> String {
    request(address, &format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"))
}

/// The answer to a text that is posted.
pub fn post(address: SocketAddr, path: &str, headers: &str, text: &str) -> String {
    let head = format!("POST {path} HTTP/1.1\r\n{headers}Connection: close\r\n");
    request(address, &format!("{head}Content-Length: {}\r\n\r\n{text}", text.len()))
}

fn request(address: SocketAddr, text: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut text = Vec::new();
    stream.read_to_end(&mut text).unwrap();
    String::from_utf8_lossy(&text).into_owned()
}
