//! Finds the files of a recording and reads their messages.

use super::decompress::{self, Decompressed};
use super::{BagError, Recording, Topic, mcap_file, metadata, sqlite_file};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Reads the messages of the wanted topics from a rosbag2 folder or from a single file of one.
///
/// The first bytes of a file tell its format: MCAP, SQLite3, or either compressed with zstd. The files of a folder are read
/// in the order of its `metadata.yaml`; without one, which is what a killed recorder leaves, by name. An error means that
/// nothing could be read; everything less is in [`Recording::problems`].
pub fn read(path: &Path, wanted: &dyn Fn(&Topic) -> bool) -> Result<Recording, BagError> {
    let mut recording = Recording::default();
    let files =
        if path.is_dir() { files_of(path, &mut recording)? } else { vec![path.to_path_buf()] };
    let mut first_error = None;
    let mut opened = 0;
    for file in &files {
        match add_file(file, wanted, &mut recording) {
            Ok(()) => opened += 1,
            Err(error) => {
                recording.problems.push(error.to_string());
                first_error.get_or_insert(error);
            }
        }
    }
    if let (0, Some(error)) = (opened, first_error) {
        return Err(error);
    }
    recording.messages.sort_by_key(|message| message.time);
    Ok(recording)
}

/// The files of a folder: those its metadata lists, or all with the extension of one.
fn files_of(folder: &Path, recording: &mut Recording) -> Result<Vec<PathBuf>, BagError> {
    match metadata::read_file_names(folder) {
        Ok(Some(names)) if !names.is_empty() => {
            // Older versions wrote paths from the folder above.
            let resolve = |name: &String| {
                let inside = folder.join(name);
                match Path::new(name).file_name() {
                    Some(last) if !inside.exists() => folder.join(last),
                    Some(_) | None => inside,
                }
            };
            return Ok(names.iter().map(resolve).collect());
        }
        Ok(Some(_)) => recording.problems.push("metadata.yaml names no files".into()),
        Ok(None) => recording.problems.push("no metadata.yaml: files are taken by name".into()),
        Err(problem) => recording.problems.push(format!("{problem}: files are taken by name")),
    }
    let unreadable = |e: std::io::Error| BagError::file(folder, e);
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = name.strip_suffix(".zstd").unwrap_or(&name);
        if name.ends_with(".mcap") || name.ends_with(".db3") {
            files.push(entry.path());
        }
    }
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

/// Adds the messages of one file; an error when it is no file of a recording. Damage inside it is a problem of the
/// recording.
fn add_file(
    path: &Path,
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> Result<(), BagError> {
    let refused = |reason: &dyn ToString| BagError::file(path, reason.to_string());
    let mut file = std::fs::File::open(path).map_err(|e| refused(&e))?;
    let size = file.metadata().map_err(|e| refused(&e))?.len();
    if size > decompress::MAX_BYTES {
        let most = decompress::MAX_BYTES;
        return Err(refused(&format!("{size} bytes, at most {most} are read")));
    }
    let mut head = Vec::new();
    (&mut file).take(16).read_to_end(&mut head).map_err(|e| refused(&e))?;
    if head.starts_with(sqlite_file::MAGIC) {
        return add_sqlite(path, path, wanted, recording);
    }
    let mut bytes = std::fs::read(path).map_err(|e| refused(&e))?;
    if decompress::is_zstd(&head) {
        let Decompressed { bytes: whole, problem } = decompress::zstd(&bytes);
        if let Some(problem) = problem {
            if whole.is_empty() {
                return Err(refused(&format!("nothing of it can be decompressed: {problem}")));
            }
            recording.problems.push(format!("{}: {problem}", path.display()));
        }
        bytes = whole;
    }
    if bytes.starts_with(mcap_file::MAGIC) {
        let result = mcap_file::add_messages(&bytes, wanted, recording);
        note_problem(result, path, recording);
        return Ok(());
    }
    if bytes.starts_with(sqlite_file::MAGIC) {
        // SQLite reads files, not memory.
        let mut unpacked = tempfile::NamedTempFile::new().map_err(|e| refused(&e))?;
        std::io::Write::write_all(&mut unpacked, &bytes).map_err(|e| refused(&e))?;
        return add_sqlite(unpacked.path(), path, wanted, recording);
    }
    Err(refused(&"neither MCAP nor SQLite3"))
}

/// Adds the messages of an SQLite3 file, which is reported by the name of the file it was decompressed from.
#[cfg(feature = "sqlite")]
fn add_sqlite(
    file: &Path,
    name: &Path,
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> Result<(), BagError> {
    let result = sqlite_file::add_messages(file, wanted, recording);
    note_problem(result, name, recording);
    Ok(())
}

#[cfg(not(feature = "sqlite"))]
fn add_sqlite(
    _: &Path,
    name: &Path,
    _: &dyn Fn(&Topic) -> bool,
    _: &mut Recording,
) -> Result<(), BagError> {
    Err(BagError::SqliteNotBuilt { path: name.into() })
}

/// Records what ended the reading of a file.
fn note_problem(result: Result<(), String>, file: &Path, recording: &mut Recording) {
    if let Err(problem) = result {
        let (file, count) = (file.display(), recording.messages.len());
        recording
            .problems
            .push(format!("{file}: {problem}; read up to there, {count} messages so far"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is SQLite3 by its first bytes, and cut after them.
    fn cut_sqlite_file() -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::with_suffix(".db3").unwrap();
        std::io::Write::write_all(&mut file, sqlite_file::MAGIC).unwrap();
        file
    }

    #[cfg(not(feature = "sqlite"))]
    #[test]
    fn a_build_without_sqlite_names_the_feature_that_reads_the_file() {
        let file = cut_sqlite_file();
        let error = read(file.path(), &|_| true).unwrap_err().to_string();
        assert!(error.contains("need the feature `sqlite`"), "{error}");
        assert!(error.contains(".db3"), "{error}");
    }

    #[cfg(feature = "sqlite")]
    #[test]
    fn a_cut_sqlite_file_is_a_problem_of_the_recording() {
        let file = cut_sqlite_file();
        let recording = read(file.path(), &|_| true).unwrap();
        assert_eq!((recording.messages.len(), recording.problems.len()), (0, 1));
        assert!(recording.problems[0].contains(".db3: "), "{:?}", recording.problems);
    }

    #[test]
    fn files_without_metadata_are_read_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bag_10.mcap", "bag_2.mcap", "bag_1.db3.zstd", "notes.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let mut recording = Recording::default();
        let files = files_of(folder.path(), &mut recording).unwrap();
        let expected = ["bag_2.mcap", "bag_10.mcap", "bag_1.db3.zstd"];
        assert_eq!(files, expected.map(|name| folder.path().join(name)));
        assert_eq!(recording.problems, ["no metadata.yaml: files are taken by name"]);
    }
}
