//! A real browser without a window: Chromium, driven by its DevTools protocol (JSON over a WebSocket).

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// How long anything may take before it has failed: software rendering on a busy machine is slow.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// A browser with one page. Both end when it is dropped.
pub struct Browser {
    process: Child,
    /// Its settings and caches: new, and gone afterwards.
    _profile: tempfile::TempDir,
    socket: WebSocket<TcpStream>,
    calls: u64,
    /// Exceptions of the page's scripts, and errors on its console.
    pub exceptions: Vec<String>,
}

impl Browser {
    /// Starts Chromium (`$CHROMIUM`, or the one of the path) with a page of this size.
    pub fn start(width: u32, height: u32) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
        let process = Command::new(&program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--hide-scrollbars", "--mute-audio"])
            // WebGL in software.
            .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(["--remote-debugging-port=0", "about:blank"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|_| panic!("{program} is missing: run tests/robots/install.sh"));
        // A port and the path of the browser's own conversation.
        let (port, path) = wait_for(|| {
            let text = std::fs::read_to_string(profile.path().join("DevToolsActivePort")).ok()?;
            let (port, path) = text.split_once('\n')?;
            let path = path.trim();
            // It may be only half written yet.
            (!path.is_empty()).then_some(())?;
            Some((port.parse::<u16>().ok()?, path.to_owned()))
        });
        let target =
            json!({"id": 1, "method": "Target.createTarget", "params": {"url": "about:blank"}});
        let mut whole = connect(port, &path);
        whole.send(Message::text(target.to_string())).unwrap();
        let page = loop {
            let Message::Text(text) = whole.read().unwrap() else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == 1 {
                break answer["result"]["targetId"].as_str().unwrap().to_owned();
            }
        };
        let socket = connect(port, &format!("/devtools/page/{page}"));
        let exceptions = Vec::new();
        let mut browser = Self { process, _profile: profile, socket, calls: 0, exceptions };
        browser.call("Runtime.enable", json!({}));
        browser.call("Page.enable", json!({}));
        browser.call("Log.enable", json!({}));
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        browser
    }

    /// Calls a method of the protocol and waits for its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let call = json!({"id": id, "method": method, "params": parameters});
        self.socket.send(Message::text(call.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let mut message: Value = serde_json::from_str(&text).unwrap();
            let parameters = &message["params"];
            let error = match message["method"].as_str() {
                Some("Runtime.exceptionThrown") => Some(&parameters["exceptionDetails"]),
                Some("Runtime.consoleAPICalled") if parameters["type"] == "error" => {
                    Some(&parameters["args"])
                }
                Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                    Some(&parameters["entry"])
                }
                _ => None,
            };
            self.exceptions.extend(error.map(Value::to_string));
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].take();
            }
        }
    }

    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
    }

    /// The value of an expression on the page, or what it threw.
    fn evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let question =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", question);
        match answer["exceptionDetails"].take() {
            Value::Null => Ok(answer["result"]["value"].take()),
            fault => Err(fault),
        }
    }

    /// The value of an expression on the page.
    pub fn value(&mut self, expression: &str) -> Value {
        self.evaluate(expression).unwrap_or_else(|fault| panic!("{expression}: {fault}"))
    }

    pub fn number(&mut self, expression: &str) -> f64 {
        let value = self.value(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}, not a number"))
    }

    /// Waits until an expression is true. One that throws is not true yet: the page may be drawing what it asks about.
    pub fn wait_until(&mut self, condition: &str) {
        let start = Instant::now();
        loop {
            let now = self.evaluate(&format!("Boolean({condition})"));
            if now == Ok(Value::Bool(true)) {
                return;
            }
            if start.elapsed() > PATIENCE {
                let state = self.value("document.body.innerText.slice(0, 300)");
                panic!("never: {condition}: {now:?}\n{state}");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// The middle of an element, scrolled into view, as soon as it is there.
    pub fn middle(&mut self, selector: &str) -> [f64; 2] {
        self.wait_until(&format!("document.querySelector({selector:?})"));
        let place = format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        serde_json::from_value(self.value(&place)).unwrap()
    }

    fn mouse(&mut self, kind: &str, [x, y]: [f64; 2]) {
        let (button, buttons) = if kind == "mouseMoved" { ("none", 0) } else { ("left", 1) };
        let event = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    pub fn click_at(&mut self, place: [f64; 2]) {
        self.mouse("mouseMoved", place);
        self.mouse("mousePressed", place);
        self.mouse("mouseReleased", place);
    }

    pub fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.click_at(place);
    }

    pub fn hover(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.mouse("mouseMoved", place);
    }

    /// Presses at a share of an element's width and height, and drags to another.
    pub fn drag(&mut self, selector: &str, from: [f64; 2], to: [f64; 2]) {
        let middle = self.middle(selector);
        let size = format!(
            "(() => {{ const r = document.querySelector({selector:?}).getBoundingClientRect(); return [r.width, r.height]; }})()"
        );
        let size: [f64; 2] = serde_json::from_value(self.value(&size)).unwrap();
        let at = |share: [f64; 2]| [0, 1].map(|k| middle[k] + (share[k] - 0.5) * size[k]);
        self.mouse("mousePressed", at(from));
        for step in 1..=4 {
            let t = f64::from(step) / 4.0;
            let place = at([0, 1].map(|k| from[k] + t * (to[k] - from[k])));
            let event = json!({"type": "mouseMoved", "x": place[0], "y": place[1], "button": "left", "buttons": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
        self.mouse("mouseReleased", at(to));
    }

    /// A finger that touches, waits, slides and lifts.
    pub fn touch(&mut self, from: [f64; 2], wait: Duration, to: [f64; 2]) {
        let point = |p: [f64; 2]| json!([{"x": p[0], "y": p[1]}]);
        self.call(
            "Input.dispatchTouchEvent",
            json!({"type": "touchStart", "touchPoints": point(from)}),
        );
        std::thread::sleep(wait);
        for step in 1..=4 {
            let t = f64::from(step) / 4.0;
            let place = [0, 1].map(|k| from[k] + t * (to[k] - from[k]));
            self.call(
                "Input.dispatchTouchEvent",
                json!({"type": "touchMove", "touchPoints": point(place)}),
            );
        }
        self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []}));
    }

    /// Fingers that touch at once, slide together to other places, and lift.
    pub fn fingers(&mut self, from: &[[f64; 2]], to: &[[f64; 2]]) {
        let points = |share: f64| {
            let place = |(a, b): (&[f64; 2], &[f64; 2])| {
                let [x, y] = [0, 1].map(|k| a[k] + share * (b[k] - a[k]));
                (x, y)
            };
            let places = from.iter().zip(to).map(place).enumerate();
            let all: Vec<Value> =
                places.map(|(id, (x, y))| json!({"x": x, "y": y, "id": id})).collect();
            Value::from(all)
        };
        let mut event = json!({"type": "touchStart", "touchPoints": points(0.0)});
        self.call("Input.dispatchTouchEvent", event.clone());
        event["type"] = "touchMove".into();
        for step in 1..=5 {
            event["touchPoints"] = points(f64::from(step) / 5.0);
            self.call("Input.dispatchTouchEvent", event.clone());
        }
        self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []}));
    }

    /// Presses the mouse at one place of the page and drags it to another.
    pub fn drag_at(&mut self, from: [f64; 2], to: [f64; 2]) {
        self.mouse("mouseMoved", from);
        self.mouse("mousePressed", from);
        for step in 1..=5 {
            let t = f64::from(step) / 5.0;
            let [x, y] = [0, 1].map(|k| from[k] + t * (to[k] - from[k]));
            let event =
                json!({"type": "mouseMoved", "x": x, "y": y, "button": "left", "buttons": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
        self.mouse("mouseReleased", to);
    }

    /// Presses the mouse at the first place, moves it through all of them, and lets go at the last.
    pub fn stroke(&mut self, places: &[[f64; 2]]) {
        let [first, .., last] = places else { panic!("a stroke has two places or more") };
        self.mouse("mouseMoved", *first);
        self.mouse("mousePressed", *first);
        for [x, y] in places {
            let event =
                json!({"type": "mouseMoved", "x": x, "y": y, "button": "left", "buttons": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
        self.mouse("mouseReleased", *last);
    }

    /// What is saved from now on appears in this folder.
    pub fn save_downloads_in(&mut self, folder: &Path) {
        let behavior = json!({"behavior": "allow", "downloadPath": folder});
        self.call("Page.setDownloadBehavior", behavior);
    }

    /// Waits for a file that is being saved.
    pub fn wait_for_file(&mut self, path: &Path) {
        let start = Instant::now();
        // An empty file may hold its place until it is there.
        while !path.metadata().is_ok_and(|file| file.len() > 0) {
            assert!(start.elapsed() < PATIENCE, "{path:?} was never saved");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// A place on the page that an expression gives.
    pub fn place(&mut self, expression: &str) -> [f64; 2] {
        serde_json::from_value(self.value(expression)).unwrap()
    }

    /// Presses a key; modifiers as in the protocol: 2 is Ctrl, 8 is Shift.
    pub fn key(&mut self, key: &str, modifiers: u32) {
        // With its number and text the browser does of itself what the key does: tabs, arrows, Enter, space.
        let number = match key {
            "Tab" => 9,
            "Enter" => 13,
            " " => 32,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let mut down = json!({"type": "rawKeyDown", "key": key, "modifiers": modifiers});
        if number > 0 {
            down["windowsVirtualKeyCode"] = number.into();
        }
        if let Some(text) = [("Enter", "\r"), (" ", " ")].iter().find(|(name, _)| *name == key) {
            (down["type"], down["text"]) = ("keyDown".into(), text.1.into());
        }
        let mut up = down.clone();
        up["type"] = "keyUp".into();
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", up);
    }

    /// Types into what has the focus.
    pub fn insert(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    pub fn screenshot(&mut self, path: &Path) {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        std::fs::write(path, decoded(picture["data"].as_str().unwrap())).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn wait_for<T>(mut found: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = found() {
            return value;
        }
        assert!(start.elapsed() < PATIENCE, "Chromium does not start");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Opens a conversation with the browser or with a page.
fn connect(port: u16, path: &str) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap().0
}

/// Base64, as pictures come.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let text: Vec<u8> = text.bytes().filter(|c| *c != b'=').map(digit).collect();
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for group in text.chunks(4) {
        let bits =
            group.iter().fold(0u32, |bits, d| bits << 6 | u32::from(*d)) << (6 * (4 - group.len()));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}
