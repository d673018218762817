//! Messages of an SQLite3 file, as rosbag2 lays it out: a table `topics` and a table `messages`.

use super::{Recording, Topic, unpack};
use rusqlite::{Connection, OpenFlags};
use std::collections::HashMap;
use std::path::Path;

pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// Adds the messages of the wanted topics; an error is what ended the reading, after everything before it was added.
pub(super) fn add_messages(
    path: &Path,
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> Result<(), String> {
    add(path, wanted, recording).map_err(|e| e.to_string())
}

fn add(
    path: &Path,
    wanted: &dyn Fn(&Topic) -> bool,
    recording: &mut Recording,
) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let file = Connection::open_with_flags(path, flags)?;
    // A file with fewer pages than its head says is refused altogether, unless SQLite is told to repair. Nothing is
    // written: the file is open for reading.
    file.pragma_update(None, "writable_schema", true)?;
    let mut topics = HashMap::new();
    let mut rows = file.prepare("SELECT id, name, type FROM topics ORDER BY id")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (name, type_name): (String, String) = (row.get(1)?, row.get(2)?);
        let topic = recording.topic(&name, &type_name);
        topics.insert(row.get::<_, i64>(0)?, topic);
    }
    // In the order of the table, which needs no index: pages that are there are read before one that is not.
    let mut rows = file.prepare("SELECT topic_id, timestamp, data FROM messages NOT INDEXED")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let Some(&topic) = topics.get(&row.get::<_, i64>(0)?) else { continue };
        if wanted(&recording.topics[topic]) {
            let (time, bytes) = (row.get(1)?, row.get(2)?);
            unpack::add(recording, topic, time, bytes);
        }
    }
    Ok(())
}
