//! The server: a page, a WebSocket, and robot and world as files, on threads of its own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::oneshot;

use super::channels::{Answer, Order, Outputs, Shared};
use super::cloth::ClothStage;
use super::command::Command;
use super::cover::Covers;
use super::cover_answer::cover_answer;
use super::error::ViewError;
use super::filters::Filters;
use super::fitting::Fitter;
use super::host::{ViewHost, ViewOptions};
use super::meshes::MeshReader;
use super::sketch::SketchDesk;
use super::stage::Stage;
use super::visuals::{VisualFiles, VisualReader};
use super::{curve, export, guard, page, viewer};
use smooth_scene_scene::WorldFile;

/// Commands that wait for the stage, of all viewers together.
const WAITING_ORDERS: usize = 256;
/// Send buffer of a connection, in bytes: small, so that a stalled viewer is noticed soon.
const SEND_BUFFER: u32 = 256 << 10;
/// Media type of URDF and SRDF.
const XML: &str = "application/xml; charset=utf-8";
/// Largest world file that is read, in bytes.
const MAX_WORLD_BYTES: usize = 32 << 20;
/// Forbids content from other sites and embedding in other pages.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// As [`POLICY`], but notebooks on this machine may embed the page.
const POLICY_IN_FRAMES: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
                                base-uri 'none'; form-action 'none'; \
                                frame-ancestors http://localhost:* http://127.0.0.1:* vscode-webview:";

/// A view that is being served, until it is dropped.
pub struct ViewServer {
    address: SocketAddr,
    viewers: Arc<AtomicUsize>,
    runtime: Background,
    stage: Option<JoinHandle<()>>,
}

impl ViewServer {
    /// Listens, and serves from now on.
    pub fn start(mut host: ViewHost, options: ViewOptions) -> Result<Self, ViewError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("view server")
            .enable_all()
            .build()
            .map_err(ViewError::Thread)?;
        let (handle, runtime) = (runtime.handle().clone(), Background(Some(runtime)));
        let refused = |source| ViewError::Listen { address: options.address, source };
        // Not `block_on`, for the same reason for which the runtime ends in the background.
        let listener = {
            let _here = handle.enter();
            listen(options.address).map_err(refused)?
        };
        let address = listener.local_addr().map_err(refused)?;

        let desk = Arc::new(SketchDesk::new(host.describe.take()));
        let outputs = Arc::new(Outputs::new());
        outputs.sketch.send_replace(desk.message().into());
        let filters = Arc::new(Filters::new(host.between.clone()));
        let viewers = Arc::new(AtomicUsize::new(0));
        let (orders, received) = std::sync::mpsc::sync_channel(WAITING_ORDERS);
        let meshes = host.geometry.clone().map(|read| Arc::new(MeshReader::new(read)));
        let covers = Arc::new(Covers::new()?);
        let fitter = Fitter::new(meshes.clone(), Arc::clone(&covers), outputs.fit.clone());
        let shared = Shared {
            options: Arc::new(options),
            outputs: Arc::clone(&outputs),
            orders,
            viewers: Arc::clone(&viewers),
            next_viewer: Arc::default(),
            store: Arc::clone(&host.store),
            described: host.described.clone(),
            visuals: host.geometry.clone().map(|read| Arc::new(VisualReader::new(read))),
            meshes,
            covers,
            filters,
            desk,
        };
        let cloth = ClothStage::start(Arc::clone(&host.store), outputs.cloth.clone())?;
        let curves = curve::start(outputs.curve.clone())?;
        let stage = Stage::new(host, &shared, curves, fitter, cloth);
        let stage_thread = std::thread::Builder::new()
            .name("view stage".into())
            .spawn(move || stage.run(&received))
            .map_err(ViewError::Thread)?;
        let routes = routes(shared);
        handle.spawn(async move {
            if let Err(error) = axum::serve(listener, routes).await {
                tracing::error!("the view is not served any more: {error}");
            }
        });
        Ok(Self { address, viewers, runtime, stage: Some(stage_thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{address}/")
    }

    /// Number of viewers.
    pub fn viewers(&self) -> usize {
        self.viewers.load(Ordering::Relaxed)
    }
}

/// A runtime that ends without blocking: whoever starts or ends a view may be on a runtime of its own, where that is
/// forbidden.
struct Background(Option<tokio::runtime::Runtime>);

impl Background {
    fn end(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.end();
    }
}

impl Drop for ViewServer {
    fn drop(&mut self) {
        // Ending the runtime closes the connections and drops the senders of commands, which ends the stage.
        self.runtime.end();
        if let Some(stage) = self.stage.take()
            && stage.join().is_err()
        {
            tracing::error!("the thread of the view panicked");
        }
    }
}

impl std::fmt::Debug for ViewServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViewServer").field("address", &self.address).finish_non_exhaustive()
    }
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    // Connections inherit it.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(64)
}

fn routes(shared: Shared) -> Router {
    let mut router = Router::new();
    for file in &page::FILES {
        let kind = file.media_type();
        let answer = move || async move { ([(header::CONTENT_TYPE, kind)], file.bytes) };
        router = router.route(&file.route(), get(answer));
    }
    router
        .route("/view", get(connect))
        .route("/robot.urdf", get(robot_urdf))
        .route("/sketch.urdf", get(sketch_urdf))
        .route("/sketch.srdf", get(sketch_srdf))
        .route("/world.yaml", get(save_world).post(load_world))
        .route("/cover/{link}", get(cover))
        .route("/visuals.json", get(visual_list))
        .route("/visuals/{mesh}", get(visual_mesh))
        .layer(DefaultBodyLimit::max(MAX_WORLD_BYTES))
        .layer(middleware::from_fn_with_state(shared.clone(), guarded))
        .with_state(shared)
}

/// Refuses connections that are not allowed, and sets the security headers.
async fn guarded(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    if let Err(reason) = guard::check(request.headers(), &shared.options.host_names) {
        return (StatusCode::FORBIDDEN, reason).into_response();
    }
    let policy = if shared.options.in_frames { POLICY_IN_FRAMES } else { POLICY };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn connect(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let Some(seat) = viewer::Seat::take(&shared) else {
        let reason = format!("{} viewers are here already", shared.options.max_viewers);
        return (StatusCode::SERVICE_UNAVAILABLE, reason).into_response();
    };
    let largest = shared.options.max_message_bytes;
    upgrade
        .max_message_size(largest)
        .max_frame_size(largest)
        .on_upgrade(move |socket| viewer::attend(socket, shared, seat))
}

/// The robot with the surfaces it has now.
async fn robot_urdf(State(shared): State<Shared>) -> Response {
    saved(edited_robot(&shared), XML, "attachment; filename=\"robot.urdf\"")
}

/// The drawn robot.
async fn sketch_urdf(State(shared): State<Shared>) -> Response {
    let written = shared.desk.write().map(|written| written.urdf);
    saved(written, XML, "attachment; filename=\"sketch.urdf\"")
}

/// Groups of the drawn robot, and the pairs of its links that may touch.
async fn sketch_srdf(State(shared): State<Shared>) -> Response {
    let written = shared.desk.write().map(|written| written.srdf);
    saved(written, XML, "attachment; filename=\"sketch.srdf\"")
}

/// A file to be saved, or why there is none.
fn saved(text: Result<String, ViewError>, kind: &'static str, name: &'static str) -> Response {
    match text {
        Ok(text) => ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], text)
            .into_response(),
        Err(error) => (StatusCode::CONFLICT, error.to_string()).into_response(),
    }
}

/// Where the visual meshes are.
async fn visual_list(State(shared): State<Shared>) -> Response {
    match visual_files(&shared).await {
        Ok(files) => {
            let kind = (header::CONTENT_TYPE, "application/json; charset=utf-8");
            ([kind], files.list.clone()).into_response()
        }
        Err(error) => (StatusCode::CONFLICT, error.to_string()).into_response(),
    }
}

/// The triangles of one of them.
async fn visual_mesh(State(shared): State<Shared>, Path(mesh): Path<usize>) -> Response {
    match visual_files(&shared).await {
        Ok(files) => match files.meshes.get(mesh) {
            Some(bytes) => ([(header::CONTENT_TYPE, "application/octet-stream")], bytes.clone())
                .into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        },
        Err(error) => (StatusCode::CONFLICT, error.to_string()).into_response(),
    }
}

async fn visual_files(shared: &Shared) -> Result<Arc<VisualFiles>, ViewError> {
    let none = || ViewError::NothingTo("draw behind the surfaces");
    let reader = Arc::clone(shared.visuals.as_ref().ok_or_else(none)?);
    let snapshot = shared.store.snapshot()?;
    let read = tokio::task::spawn_blocking(move || reader.files(&snapshot));
    read.await.map_err(|error| ViewError::Visuals(error.to_string()))?
}

/// How much of a link's mesh its surfaces contain.
async fn cover(State(shared): State<Shared>, Path(link): Path<String>) -> Response {
    let compare = move || {
        let meshes = shared.meshes.as_ref().ok_or(ViewError::NoGeometry)?;
        cover_answer(meshes, &shared.covers, &*shared.store.snapshot()?, &link)
    };
    match tokio::task::spawn_blocking(compare).await {
        Ok(Ok(bytes)) => {
            ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response()
        }
        Ok(Err(error)) => (StatusCode::CONFLICT, error.to_string()).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// The objects of the scene.
async fn save_world(State(shared): State<Shared>) -> Response {
    let kind = "application/yaml; charset=utf-8";
    saved(world_text(&shared), kind, "attachment; filename=\"world.yaml\"")
}

fn world_text(shared: &Shared) -> Result<String, ViewError> {
    Ok(WorldFile::of_scene(&shared.store.snapshot()?.scene).to_yaml()?)
}

/// Puts the objects of a file in place of those of the scene. Forms of other sites are refused by their origin.
async fn load_world(State(shared): State<Shared>, text: String) -> Response {
    let (answer, outcome) = oneshot::channel();
    let command = Command::LoadWorld { text };
    // Nobody's number: numbers of viewers begin with 0 and never come this far.
    let order = Order { viewer: u64::MAX, command, answer: Answer::Once(answer) };
    if shared.orders.try_send(order).is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many commands are waiting").into_response();
    }
    match outcome.await {
        Ok(Ok(())) => StatusCode::NO_CONTENT.into_response(),
        Ok(Err(error)) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the view has ended").into_response(),
    }
}

fn edited_robot(shared: &Shared) -> Result<String, ViewError> {
    let snapshot = shared.store.snapshot()?;
    let described = || shared.described.as_ref().and_then(|described| described());
    let drawn = shared.desk.used(snapshot.robot);
    let described = drawn.or_else(described).ok_or(ViewError::NoDocument)?;
    export::edited_urdf(&described, snapshot.scene.model())
}
