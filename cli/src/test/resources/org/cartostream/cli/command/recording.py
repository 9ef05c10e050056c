# Reads a recording by rosbags, which is not ours, and compares its last map with the run's picture:
# recording.py RUN_MCAP MAP_PGM. Prints messages by topic, the number of cells that differ, the latest
# loop edges, and how far particles are from the pose of their moment.
import json
import math
import sys
from collections import Counter
from pathlib import Path

from rosbags.highlevel import AnyReader

recording, picture = Path(sys.argv[1]), Path(sys.argv[2])


def stamp(message):
    return message.header.stamp.sec, message.header.stamp.nanosec


def apart(one, other):
    return math.hypot(one.x - other.x, one.y - other.y)


counts, last = Counter(), None
poses, path, clouds, loops = {}, [], [], None
with AnyReader([recording]) as reader:
    for connection, _, raw in reader.messages():
        counts[connection.topic] += 1
        message = reader.deserialize(raw, connection.msgtype)
        if connection.topic == "/map":
            last = message
        elif connection.topic == "/cartostream/pose":
            poses[stamp(message)] = message.pose.position
        elif connection.topic == "/cartostream/path":
            path = [pose.pose.position for pose in message.poses]
        elif connection.topic == "/cartostream/particles":
            clouds.append(message)
        elif connection.topic == "/cartostream/loops":
            loops = message
        elif connection.topic == "/cartostream/counters":
            json.loads(message.data)

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
if loops is not None:
    places = {(each.x, each.y) for each in path}
    ends = [(each.x, each.y) for each in loops.points]
    lines = list(zip(loops.points[::2], loops.points[1::2]))
    print("loops", loops.header.frame_id, "type", loops.type, "edges", len(lines))
    print("ends beside the path", sum(each not in places for each in ends))
    print("edges over 9 m", sum(apart(one, other) > 9 for one, other in lines))  # 6 m and 3 m of search
sizes = {len(cloud.poses) for cloud in clouds}
distances = [
    apart(pose.position, poses[stamp(cloud)]) for cloud in clouds for pose in cloud.poses]
print("particles", clouds[0].header.frame_id, "each time", *sorted(sizes))
print("particles over 1 m from the pose", sum(each > 1 for each in distances))
