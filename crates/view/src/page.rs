//! The page, built into the binary. Its sources are in `web/`, from where `npm run build` bundles it.

/// A file of the page.
#[derive(Debug)]
pub(super) struct File {
    pub path: &'static str,
    pub media_type: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! file {
    ($path:literal, $name:literal, $media_type:literal) => {
        File {
            path: $path,
            media_type: $media_type,
            bytes: include_bytes!(concat!("../web/dist/", $name)),
        }
    };
}

/// All files of the page.
pub(super) static FILES: [File; 4] = [
    file!("/", "index.html", "text/html; charset=utf-8"),
    file!("/app.js", "app.js", "text/javascript; charset=utf-8"),
    file!("/app.css", "app.css", "text/css; charset=utf-8"),
    file!("/licences.txt", "licences.txt", "text/plain; charset=utf-8"),
];
