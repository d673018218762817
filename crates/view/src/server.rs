//! The server: a page, a WebSocket and the edited robot, on threads of its own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::ws::{Utf8Bytes, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;

use super::error::ViewError;
use super::host::{Described, ViewHost, ViewOptions};
use super::stage::{Order, Outputs, Stage};
use super::{curve, export, guard, page, viewer};
use smooth_scene_scene::SceneStore;

/// Commands that wait for the stage, of all viewers together.
const WAITING_ORDERS: usize = 256;
/// Send buffer of a connection, in bytes: small, so that a stalled viewer is noticed soon.
const SEND_BUFFER: u32 = 256 << 10;
/// Forbids content from other sites and embedding in other pages.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// What all connections share.
#[derive(Clone)]
pub(super) struct Shared {
    pub options: Arc<ViewOptions>,
    pub outputs: Arc<Outputs>,
    pub orders: SyncSender<Order>,
    pub viewers: Arc<AtomicUsize>,
    next_viewer: Arc<AtomicU64>,
    store: Arc<SceneStore>,
    described: Option<Described>,
}

/// A view that is being served, until it is dropped.
pub struct ViewServer {
    address: SocketAddr,
    viewers: Arc<AtomicUsize>,
    runtime: Background,
    stage: Option<JoinHandle<()>>,
}

impl ViewServer {
    /// Listens, and serves from now on.
    pub fn start(host: ViewHost, options: ViewOptions) -> Result<Self, ViewError> {
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

        let outputs = Arc::new(Outputs {
            picture: watch::Sender::new(Utf8Bytes::default()),
            frame: watch::Sender::new(Utf8Bytes::default()),
            curve: watch::Sender::new(Utf8Bytes::default()),
        });
        let viewers = Arc::new(AtomicUsize::new(0));
        let (orders, received) = std::sync::mpsc::sync_channel(WAITING_ORDERS);
        let shared = Shared {
            options: Arc::new(options.clone()),
            outputs: Arc::clone(&outputs),
            orders,
            viewers: Arc::clone(&viewers),
            next_viewer: Arc::default(),
            store: Arc::clone(&host.store),
            described: host.described.clone(),
        };
        let curves = curve::start(outputs.curve.clone())?;
        let stage = Stage::new(host, options, curves, outputs, Arc::clone(&viewers));
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
        let answer = move || async move { ([(header::CONTENT_TYPE, file.media_type)], file.bytes) };
        router = router.route(file.path, get(answer));
    }
    router
        .route("/view", get(connect))
        .route("/robot.urdf", get(robot_urdf))
        .layer(middleware::from_fn_with_state(shared.clone(), guarded))
        .with_state(shared)
}

/// Refuses connections that are not allowed, and sets the security headers.
async fn guarded(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    if let Err(reason) = guard::check(request.headers(), &shared.options.host_names) {
        return (StatusCode::FORBIDDEN, reason).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn connect(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let Some(seat) = viewer::Seat::take(&shared.viewers, shared.options.max_viewers) else {
        let reason = format!("{} viewers are here already", shared.options.max_viewers);
        return (StatusCode::SERVICE_UNAVAILABLE, reason).into_response();
    };
    let number = shared.next_viewer.fetch_add(1, Ordering::Relaxed);
    let largest = shared.options.max_message_bytes;
    upgrade
        .max_message_size(largest)
        .max_frame_size(largest)
        .on_upgrade(move |socket| viewer::attend(socket, shared, number, seat))
}

/// The robot with the surfaces it has now.
async fn robot_urdf(State(shared): State<Shared>) -> Response {
    match edited_robot(&shared) {
        Ok(text) => {
            let kind = (header::CONTENT_TYPE, "application/xml; charset=utf-8");
            let file = (header::CONTENT_DISPOSITION, "attachment; filename=\"robot.urdf\"");
            ([kind, file], text).into_response()
        }
        Err(error) => (StatusCode::CONFLICT, error.to_string()).into_response(),
    }
}

fn edited_robot(shared: &Shared) -> Result<String, ViewError> {
    let described = shared.described.as_ref().and_then(|described| described());
    let described = described.ok_or(ViewError::NoDocument)?;
    let snapshot = shared.store.snapshot()?;
    export::edited_urdf(&described, snapshot.scene.model())
}
