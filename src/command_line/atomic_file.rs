//! Atomic writing of files.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Why a file was not written. It is as it was before, or not there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteFailure {
    #[error("{} is there already; --force replaces it", .0.display())]
    Exists(PathBuf),
    #[error("cannot write {}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
}

impl WriteFailure {
    pub fn new(path: &Path, error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::AlreadyExists => WriteFailure::Exists(path.to_owned()),
            _ => WriteFailure::Io { path: path.to_owned(), error },
        }
    }
}

/// What stands at a path where a file is to be written.
enum Target {
    /// A regular file, or nothing yet: the place that the new file is moved to.
    File(PathBuf),
    /// A device or a pipe, which is written to as it is. Moving a file there would take it away from everybody.
    Stream,
}

/// Fails where [`write`] would fail, before the work whose result it writes.
pub(crate) fn check(path: &Path, replace: bool) -> Result<(), WriteFailure> {
    let checked = target(path, replace).and_then(|target| match target {
        Target::File(place) => temporary(&place).map(drop),
        Target::Stream => Ok(()),
    });
    checked.map_err(|error| WriteFailure::new(path, error))
}

/// Writes a file under another name in the same folder and moves it into place. Without `replace` an existing file stays
/// and is an error. A symbolic link stays a link: the file that it names is written.
pub(crate) fn write(path: &Path, bytes: &[u8], replace: bool) -> Result<(), WriteFailure> {
    let written = target(path, replace).and_then(|target| match target {
        Target::File(place) => move_into(&place, bytes, replace),
        Target::Stream => {
            let mut stream = OpenOptions::new().write(true).open(path)?;
            stream.write_all(bytes).and_then(|()| stream.flush())
        }
    });
    written.map_err(|error| WriteFailure::new(path, error))
}

fn target(path: &Path, replace: bool) -> io::Result<Target> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Ok(Target::Stream),
        Ok(_) if !replace => Err(ErrorKind::AlreadyExists.into()),
        Ok(_) => fs::canonicalize(path).map(Target::File),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Target::File(path.to_owned())),
        Err(error) => Err(error),
    }
}

/// An empty file beside the one that is to be written. It is removed when it is dropped.
fn temporary(place: &Path) -> io::Result<NamedTempFile> {
    let folder = match place.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".smooth_scene_").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The usual permissions of a new file, subject to the umask. Temporary files are private by default.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn move_into(place: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    let mut file = temporary(place)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    // A file that cannot be moved is removed when the error is dropped.
    let moved = if replace { file.persist(place) } else { file.persist_noclobber(place) };
    moved.map(|_| ()).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_only_on_request_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.yaml");
        check(&path, false).unwrap();
        write(&path, b"one", false).unwrap();
        for refused in [check(&path, false), write(&path, b"two", false)] {
            assert!(matches!(refused, Err(WriteFailure::Exists(_))));
        }
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(&path, b"two", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["out.yaml"]);
    }

    #[test]
    fn a_folder_and_a_missing_folder_are_refused_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("no/out.yaml")] {
            assert!(matches!(check(&path, true), Err(WriteFailure::Io { .. })), "{path:?}");
        }
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_its_file_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(matches!(write(&link, b"two", false), Err(WriteFailure::Exists(_))));
        write(&link, b"two", true).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_stays_one() {
        use std::os::unix::fs::FileTypeExt;
        // Not /dev/null itself: a mistake here would take it away from the whole machine.
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        check(&link, false).unwrap();
        write(&link, b"nothing", true).unwrap();
        assert!(fs::metadata(&link).unwrap().file_type().is_char_device());
        assert_eq!(names(folder.path()), ["null"]);
    }
}
