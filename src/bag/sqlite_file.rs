//! Messages of an SQLite3 file, as rosbag2 lays it out: a table `topics` and a table `messages`.

#[cfg(feature = "sqlite")]
use super::{Recording, Topic};
#[cfg(feature = "sqlite")]
use std::path::Path;

pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// Adds the messages of the wanted topics. An error is what ended the reading, after everything before it was added.
#[cfg(feature = "sqlite")]
pub(super) fn add_messages(
    path: &Path,
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> Result<(), String> {
    use rusqlite::{Connection, OpenFlags};
    use std::collections::HashMap;

    let text = |error: rusqlite::Error| error.to_string();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let file = Connection::open_with_flags(path, flags).map_err(text)?;
    // SQLite refuses a file with fewer pages than its header says, unless it is told to repair. Nothing is written: the
    // file is open for reading.
    file.pragma_update(None, "writable_schema", true).map_err(text)?;
    let mut topics = HashMap::new();
    let mut rows = file.prepare("SELECT id, name, type FROM topics ORDER BY id").map_err(text)?;
    let mut rows = rows.query([]).map_err(text)?;
    while let Some(row) = rows.next().map_err(text)? {
        let name: String = row.get(1).map_err(text)?;
        let type_name: String = row.get(2).map_err(text)?;
        let topic = recording.topic(&name, &type_name);
        topics.insert(row.get::<_, i64>(0).map_err(text)?, topic);
    }
    // In the order of the table, which needs no index: pages that are there are read before one that is not.
    let mut rows =
        file.prepare("SELECT topic_id, timestamp, data FROM messages NOT INDEXED").map_err(text)?;
    let mut rows = rows.query([]).map_err(text)?;
    while let Some(row) = rows.next().map_err(text)? {
        let id: i64 = row.get(0).map_err(text)?;
        let undeclared = || format!("a message of topic {id}, which is not declared");
        let topic = *topics.get(&id).ok_or_else(undeclared)?;
        if wanted(&recording.topics[topic]) {
            let (time, bytes) = (row.get(1).map_err(text)?, row.get(2).map_err(text)?);
            recording.add_message(topic, time, bytes);
        }
    }
    Ok(())
}
