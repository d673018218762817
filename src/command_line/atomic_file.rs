//! Atomic writing of files.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file under another name in the same folder and moves it into place. Without `replace` an existing file stays
/// and is an error of the kind `AlreadyExists`.
pub(crate) fn write(path: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".smooth_scene_").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The usual permissions of a new file, subject to the umask. Temporary files are private by default.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    // A file that cannot be moved is removed when the error is dropped.
    let moved = if replace { file.persist(path) } else { file.persist_noclobber(path) };
    moved.map(|_| ()).map_err(|error| error.error)
}
