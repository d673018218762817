//! A path → the files of a recording → their messages.

use super::{BagError, Recording, Topic, mcap_file, metadata, sqlite_file, unpack};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Reads the messages of the wanted topics from a folder of rosbag2 or from a single file of one.
///
/// Files are told apart by their first bytes: MCAP, SQLite3, or either packed with zstd. A folder is read in the order of
/// its `metadata.yaml`; without one, as a recorder that was killed leaves it, by name. An error means that nothing could
/// be read; everything less is in [`Recording::problems`].
pub fn read(path: &Path, wanted: &dyn Fn(&Topic) -> bool) -> Result<Recording, BagError> {
    let mut recording = Recording::default();
    let files =
        if path.is_dir() { files_of(path, &mut recording)? } else { vec![path.to_path_buf()] };
    let mut unreadable = None;
    let mut opened = 0;
    for file in &files {
        match add_file(file, wanted, &mut recording) {
            Ok(()) => opened += 1,
            Err(error) => {
                recording.problems.push(error.to_string());
                unreadable.get_or_insert(error);
            }
        }
    }
    match unreadable {
        Some(error) if opened == 0 => Err(error),
        _ => {
            recording.messages.sort_by_key(|message| message.time);
            Ok(recording)
        }
    }
}

/// The files of a folder: those its metadata names, or all that look like one.
fn files_of(folder: &Path, recording: &mut Recording) -> Result<Vec<PathBuf>, BagError> {
    match metadata::read_file_names(folder) {
        Ok(Some(names)) if !names.is_empty() => {
            // Older versions wrote paths from the folder above.
            let place = |name: &String| {
                let inside = folder.join(name);
                match (inside.exists(), Path::new(name).file_name()) {
                    (false, Some(last)) => folder.join(last),
                    _ => inside,
                }
            };
            return Ok(names.iter().map(place).collect());
        }
        Ok(Some(_)) => recording.problems.push("metadata.yaml names no files".into()),
        Ok(None) => recording.problems.push("no metadata.yaml: files are taken by name".into()),
        Err(problem) => recording.problems.push(format!("{problem}: files are taken by name")),
    }
    let entries = std::fs::read_dir(folder).map_err(|e| BagError::file(folder, e))?;
    let is_storage = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let name = name.strip_suffix(".zstd").unwrap_or(&name);
        name.ends_with(".mcap") || name.ends_with(".db3")
    };
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_storage).collect();
    if files.is_empty() {
        return Err(BagError::Empty { path: folder.into() });
    }
    // Split files end in numbers: _2 comes before _10.
    files.sort_by_key(|path| {
        let name = path.to_string_lossy().into_owned();
        (name.len(), name)
    });
    Ok(files)
}

/// Adds the messages of one file; an error when it is no file of a recording. What is wrong in its middle is a problem of
/// the recording.
fn add_file(
    path: &Path,
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> Result<(), BagError> {
    let name = || path.display().to_string();
    let refused = |reason: &dyn ToString| BagError::file(path, reason.to_string());
    let mut file = std::fs::File::open(path).map_err(|e| refused(&e))?;
    let size = file.metadata().map_err(|e| refused(&e))?.len();
    if size > unpack::MOST_BYTES {
        return Err(refused(&format!("{size} bytes, at most {} are read", unpack::MOST_BYTES)));
    }
    let mut head = [0; 16];
    let length = file.read(&mut head).map_err(|e| refused(&e))?;
    let head = &head[..length];
    if head.starts_with(sqlite_file::MAGIC) {
        let found = sqlite_file::add_messages(path, wanted, recording);
        return note(found, name(), recording);
    }
    let mut bytes = std::fs::read(path).map_err(|e| refused(&e))?;
    if unpack::is_packed(head) {
        let (whole, problem) = unpack::unpack(&bytes);
        if let Some(problem) = problem {
            if whole.is_empty() {
                return Err(refused(&format!("nothing of it can be unpacked: {problem}")));
            }
            recording.problems.push(format!("{}: {problem}", name()));
        }
        bytes = whole;
    }
    if bytes.starts_with(mcap_file::MAGIC) {
        let found = mcap_file::add_messages(&bytes, wanted, recording);
        return note(found, name(), recording);
    }
    if bytes.starts_with(sqlite_file::MAGIC) {
        // SQLite reads files, not memory.
        let mut unpacked = tempfile::NamedTempFile::new().map_err(|e| refused(&e))?;
        unpacked.write_all(&bytes).map_err(|e| refused(&e))?;
        let found = sqlite_file::add_messages(unpacked.path(), wanted, recording);
        return note(found, name(), recording);
    }
    Err(refused(&"neither MCAP nor SQLite3"))
}

fn note(
    found: Result<(), String>,
    file: String,
    recording: &mut Recording,
) -> Result<(), BagError> {
    if let Err(problem) = found {
        let count = recording.messages.len();
        recording
            .problems
            .push(format!("{file}: {problem}; read up to there, {count} messages so far"));
    }
    Ok(())
}
