# Reads a recording by rosbags, which is not ours, and compares its last map with the run's picture:
# recording.py RUN_MCAP MAP_PGM. Prints messages by topic, and the number of cells that differ.
import sys
from collections import Counter
from pathlib import Path

from rosbags.highlevel import AnyReader

recording, picture = Path(sys.argv[1]), Path(sys.argv[2])
counts, last = Counter(), None
with AnyReader([recording]) as reader:
    for connection, _, raw in reader.messages():
        counts[connection.topic] += 1
        if connection.msgtype != "__schemaless__":  # JSON
            message = reader.deserialize(raw, connection.msgtype)
            if connection.topic == "/map":
                last = message

magic, _, size, most, pixels = picture.read_bytes().split(b"\n", 4)  # _: a comment
width, height = map(int, size.split())
assert (magic, most) == (b"P5", b"255"), (magic, most)
assert (width, height) == (last.info.width, last.info.height), (width, height, last.info)


def grey(cell):  # As map_saver has it, by the thresholds in map.yaml.
    return 205 if cell < 0 else 0 if cell >= 65 else 254 if cell < 19.6 else 205


differ = sum(
    grey(int(last.data[row * width + column])) != pixels[(height - 1 - row) * width + column]
    for row in range(height)
    for column in range(width))
for topic, count in sorted(counts.items()):
    print(topic, count)
print("cells that differ", differ)
