"""Recordings by and for rosbags and mcap-ros2-support.

`bags.py write FOLDER` makes recordings of joint states in every form that is read; `bags.py decode FOLDER...` decodes every
message of recordings with both packages and prints what is in them, one JSON object a recording.
"""

import json
import sys
from pathlib import Path

import numpy as np
from mcap.reader import make_reader
from mcap.writer import CompressionType
from mcap.writer import Writer as McapWriter
from mcap_ros2.decoder import DecoderFactory
from rosbags.rosbag2 import CompressionFormat, CompressionMode, Reader, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

STORE = get_typestore(Stores.ROS2_JAZZY)
JOINT_STATE = "sensor_msgs/msg/JointState"
STEPS = 200


def joint_state(step, names):
    """Message `step`: every joint at step / 1000, plus its place."""
    types = STORE.types
    stamp = types["builtin_interfaces/msg/Time"](sec=step // 100, nanosec=(step % 100) * 10**7)
    header = types["std_msgs/msg/Header"](stamp=stamp, frame_id="")
    positions = np.array([step / 1000 + k for k in range(len(names))])
    empty = np.array([], dtype=np.float64)
    return types[JOINT_STATE](header=header, name=list(names), position=positions, velocity=empty, effort=empty)


def messages():
    """Two publishers in turns, each with joints of its own: time, bytes."""
    for step in range(STEPS):
        names = ["shoulder", "elbow"] if step % 2 == 0 else ["wrist", "of_another_robot"]
        yield 10**9 + step * 10**7, STORE.serialize_cdr(joint_state(step, names), JOINT_STATE)


def by_rosbags(path, plugin, mode=None):
    with_compression = Writer(path, version=9, storage_plugin=plugin)
    if mode is not None:
        with_compression.set_compression(mode, CompressionFormat.ZSTD)
    with with_compression as writer:
        topic = writer.add_connection("/joint_states", JOINT_STATE, typestore=STORE)
        other = writer.add_connection("/chatter", "std_msgs/msg/String", typestore=STORE)
        hello = STORE.types["std_msgs/msg/String"](data="hello")
        writer.write(other, 10**9, STORE.serialize_cdr(hello, "std_msgs/msg/String"))
        for time, data in messages():
            writer.write(topic, time, data)


def by_mcap(path, compression, part, chunk_size=2000):
    with open(path, "wb") as file:
        writer = McapWriter(file, compression=compression, chunk_size=chunk_size)
        writer.start(profile="ros2", library="test")
        text, _ = STORE.generate_msgdef(JOINT_STATE, ros_version=2)
        schema = writer.register_schema(JOINT_STATE, "ros2msg", text.encode())
        channel = writer.register_channel("/joint_states", "cdr", schema)
        for time, data in part:
            writer.add_message(channel, log_time=time, publish_time=time, data=bytes(data))
        writer.finish()


def write(folder):
    modes = CompressionMode
    for plugin, name in [(StoragePlugin.SQLITE3, "sqlite3"), (StoragePlugin.MCAP, "mcap")]:
        by_rosbags(folder / name, plugin)
        by_rosbags(folder / f"{name}_file", plugin, modes.FILE)
        by_rosbags(folder / f"{name}_message", plugin, modes.MESSAGE)
    by_rosbags(folder / "mcap_storage", StoragePlugin.MCAP, modes.STORAGE)
    whole = list(messages())
    by_mcap(folder / "lz4.mcap", CompressionType.LZ4, whole)
    by_mcap(folder / "zstd.mcap", CompressionType.ZSTD, whole)
    by_mcap(folder / "plain.mcap", CompressionType.NONE, whole)
    split = folder / "split"
    split.mkdir()
    # Ten and more parts: by name alone _10 would come before _2.
    names = []
    for k in range(0, STEPS, 16):
        names.append(f"split_{k // 16}.mcap")
        by_mcap(split / names[-1], CompressionType.ZSTD, whole[k : k + 16])
    listed = "".join(f"    - {name}\n" for name in names)
    (split / "metadata.yaml").write_text(
        f"rosbag2_bagfile_information:\n  version: 9\n  storage_identifier: mcap\n  relative_file_paths:\n{listed}"
    )


def decode(path):
    """Counts and sums by topic: of rosbags, which decodes with the definitions in the recording, and of mcap_ros2."""
    found = {"rosbags": {}, "mcap_ros2": {}, "stamps": {}}
    with Reader(path) as reader:
        store = get_typestore(Stores.EMPTY)
        for connection in reader.connections:
            text = connection.msgdef.data
            store.register(get_types_from_msg(text, connection.msgtype))
            found["stamps"][connection.topic] = connection.digest
        for connection, time, raw in reader.messages():
            message = store.deserialize_cdr(raw, connection.msgtype)
            found["rosbags"].setdefault(connection.topic, []).append(summary(message, time))
        found["start"], found["duration"], found["count"] = reader.start_time, reader.duration, reader.message_count
    for file in sorted(Path(path).glob("*.mcap")):
        with open(file, "rb") as stream:
            for _, channel, message, decoded in make_reader(
                stream, decoder_factories=[DecoderFactory()]
            ).iter_decoded_messages():
                found["mcap_ros2"].setdefault(channel.topic, []).append(summary(decoded, message.log_time))
    return found


def summary(message, time):
    """A few numbers of a message that its fields must have been found for."""
    for field, value in [("position", lambda m: float(sum(m.position))), ("data", lambda m: len(m.data)),
                         ("transforms", lambda m: sum(t.transform.translation.x for t in m.transforms)),
                         ("markers", lambda m: [len(m.markers), sum(len(k.points) for k in m.markers), sum(k.id for k in m.markers)]),
                         ("proximities", lambda m: [m.status, len(m.proximities), sum(p.distance for p in m.proximities)])]:
        if hasattr(message, field):
            return [time, value(message)]
    return [time, None]


def main():
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]))
    else:
        for path in sys.argv[2:]:
            print(json.dumps(decode(path)))


if __name__ == "__main__":
    main()
