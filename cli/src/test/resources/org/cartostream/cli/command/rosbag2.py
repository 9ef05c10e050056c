# Makes folders of rosbag2 of a ROS 1 bag, by rosbags, which is not ours: rosbag2.py BAG FOLDER
# One with each storage, one split, one for each way of packing, and one without scans.
import re
import shutil
import subprocess
import sys
from pathlib import Path

from rosbags.rosbag2 import Reader, StoragePlugin, Writer

bag, folder = Path(sys.argv[1]), Path(sys.argv[2])
convert = Path(sys.executable).with_name("rosbags-convert")


def made(name, *options):
    subprocess.run(
        [convert, "--src", bag, "--dst", folder / name, "--src-typestore", "ros1_noetic",
         "--dst-typestore", "ros2_humble", *options],
        check=True)


made("mcap", "--dst-storage", "mcap")
made("sqlite", "--dst-storage", "sqlite3")
made("blind", "--exclude-topic", "/scan")
for storage in "mcap", "sqlite3":
    made(f"file-{storage}", "--dst-storage", storage, "--compress", "zstd", "--compress-mode", "file")
made("message-sqlite3", "--compress", "zstd", "--compress-mode", "message")
made("storage-mcap", "--dst-storage", "mcap", "--compress", "zstd", "--compress-mode", "storage")


def part(number, begin, end):
    """Some of the messages, as a folder with one file."""
    target = folder / f"part_{number}"
    with Reader(folder / "sqlite") as source, Writer(
            target, version=9, storage_plugin=StoragePlugin.SQLITE3) as writer:
        connections = {
            each.id: writer.add_connection(
                each.topic, each.msgtype, msgdef=each.msgdef.data, rihs01=each.digest,
                serialization_format=each.ext.serialization_format,
                offered_qos_profiles=each.ext.offered_qos_profiles)
            for each in source.connections}
        for connection, stamp, data in source.messages():
            if begin <= stamp < end:
                writer.write(connections[connection.id], stamp, data)
    return target / f"part_{number}.db3"


with Reader(folder / "sqlite") as source:
    middle = (source.start_time + source.end_time) // 2
split = folder / "split"
split.mkdir()
for number, times in enumerate([(0, middle), (middle, 2**63 - 1)]):
    shutil.move(part(number, *times), split / f"split_{number}.db3")
whole = (folder / "sqlite/metadata.yaml").read_text()
(split / "metadata.yaml").write_text(
    re.sub(r"relative_file_paths:\n *- .*", "relative_file_paths:\n  - split_0.db3\n  - split_1.db3", whole))
# The same without metadata, as a recorder leaves it that was killed.
shutil.copytree(split, folder / "killed")
(folder / "killed/metadata.yaml").unlink()
