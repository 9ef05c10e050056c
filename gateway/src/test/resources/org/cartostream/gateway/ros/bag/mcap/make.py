"""Made the MCAP files beside this script, by the format's own Python libraries:

    pip install mcap==1.6.0 mcap-ros2-support==0.6.0
    python make.py

Per scan i at 100 + i / 10 s, odometry 10 ms before and after it, at x = i -/+ 0.1 m; scan 5 is blind,
the last one has no odometry after it; beam 0 has met nothing (infinity). Small chunks, so that there
are many.
"""

import math
import struct

from mcap.writer import CompressionType, Writer as PlainWriter
from mcap_ros2.writer import Writer

HEADER = "builtin_interfaces/Time stamp\nstring frame_id\n"
TIME = "int32 sec\nuint32 nanosec\n"
VECTOR = "float64 x\nfloat64 y\nfloat64 z\n"
QUATERNION = VECTOR + "float64 w\n"
LINE = "=" * 80 + "\nMSG: "
COMMON = LINE + "std_msgs/Header\n" + HEADER + LINE + "builtin_interfaces/Time\n" + TIME
SCAN = (
    "std_msgs/Header header\nfloat32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\n"
    "float32 time_increment\nfloat32 scan_time\nfloat32 range_min\nfloat32 range_max\n"
    "float32[] ranges\nfloat32[] intensities\n" + COMMON
)
TF = (
    "geometry_msgs/TransformStamped[] transforms\n"
    + LINE + "geometry_msgs/TransformStamped\n"
    "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n"
    + LINE + "geometry_msgs/Transform\ngeometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n"
    + LINE + "geometry_msgs/Vector3\n" + VECTOR
    + LINE + "geometry_msgs/Quaternion\n" + QUATERNION + COMMON
)
BEAMS = 41


def stamp(nanos):
    return {"sec": nanos // 10**9, "nanosec": nanos % 10**9}


def transform(parent, child, nanos, x):
    return {
        "transforms": [
            {
                "header": {"stamp": stamp(nanos), "frame_id": parent},
                "child_frame_id": child,
                "transform": {
                    "translation": {"x": x, "y": 0.0, "z": 0.0},
                    "rotation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0},
                },
            }
        ]
    }


def scan(i, nanos):
    ranges = [1 + i / 64 + k / 1024 for k in range(BEAMS)]
    ranges[0] = math.inf
    return {
        "header": {"stamp": stamp(nanos), "frame_id": "laser"},
        "angle_min": -1.0,
        "angle_max": 1.0,
        "angle_increment": 2.0 / (BEAMS - 1),
        "time_increment": 0.0,
        "scan_time": 0.0,
        "range_min": 0.0,
        "range_max": 8.0,
        "ranges": [math.nan] * BEAMS if i == 5 else ranges,
        "intensities": [],
    }


def drive(write):
    write("/tf_static", transform("base_link", "laser", 0, 0.25), 100 * 10**9)
    for i in range(40):
        at = (1000 + i) * 10**8
        write("/tf", transform("odom", "base_link", at - 10**7, i - 0.1), at - 10**7)
        write("/base_scan", scan(i, at), at + 2 * 10**6)
        if i < 39:
            write("/tf", transform("odom", "base_link", at + 10**7, i + 0.1), at + 10**7)


def ros2(name, compression):
    with open(name, "wb") as file:
        writer = Writer(file, chunk_size=4096, compression=compression)
        scans = writer.register_msgdef("sensor_msgs/msg/LaserScan", SCAN)
        tf = writer.register_msgdef("tf2_msgs/msg/TFMessage", TF)
        drive(
            lambda topic, message, at: writer.write_message(
                topic, scans if topic == "/base_scan" else tf, message, at, at
            )
        )
        writer.finish()


# --- ROS 1's own wire format, which needs no library -----------------------------------------------


def text(value):
    return struct.pack("<I", len(value)) + value.encode()


def header1(header):
    time = header["stamp"]
    return struct.pack("<III", 0, time["sec"], time["nanosec"]) + text(header["frame_id"])


def bytes1(message):
    if "transforms" in message:
        one = message["transforms"][0]
        translation, rotation = one["transform"]["translation"], one["transform"]["rotation"]
        return (
            struct.pack("<I", 1)
            + header1(one["header"])
            + text(one["child_frame_id"])
            + struct.pack("<7d", *translation.values(), *rotation.values())
        )
    numbers = [v for k, v in message.items() if k not in ("header", "ranges", "intensities")]
    ranges = message["ranges"]
    return (
        header1(message["header"])
        + struct.pack("<7f", *numbers)
        + struct.pack("<I%df" % len(ranges), len(ranges), *ranges)
        + struct.pack("<I", 0)
    )


def ros1(name):
    with open(name, "wb") as file:
        writer = PlainWriter(file, chunk_size=4096, compression=CompressionType.ZSTD)
        writer.start(profile="ros1", library="make.py")
        schemas = {
            "/base_scan": writer.register_schema("sensor_msgs/LaserScan", "ros1msg", b""),
            "/tf": writer.register_schema("tf2_msgs/TFMessage", "ros1msg", b""),
        }
        channels = {}

        def write(topic, message, at):
            schema = schemas.get(topic, schemas["/tf"])
            if topic not in channels:
                channels[topic] = writer.register_channel(topic, "ros1", schema)
            writer.add_message(channels[topic], at, bytes1(message), at)

        drive(write)
        writer.finish()


ros2("none.mcap", CompressionType.NONE)
ros2("lz4.mcap", CompressionType.LZ4)
ros2("zstd.mcap", CompressionType.ZSTD)
ros1("ros1.mcap")
