# A peer in ROS 2's graph by Cyclone DDS, which is not ours: python cyclone.py DOMAIN WHAT...
# with ROS 2's names on the wire, and Cyclone's configuration as it is but for the interface.
import math
import pathlib
import sys
import threading
import time
import zlib
from dataclasses import dataclass

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import array, float32, float64, int8, int32, int64, sequence, uint8, uint32, uint64
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration


def ros(package, name):
    return dict(typename=f"{package}::msg::dds_::{name}_")


@dataclass
class Time(IdlStruct, **ros("builtin_interfaces", "Time")):
    sec: int32
    nanosec: uint32


@dataclass
class Header(IdlStruct, **ros("std_msgs", "Header")):
    stamp: Time
    frame_id: str


@dataclass
class LaserScan(IdlStruct, **ros("sensor_msgs", "LaserScan")):
    header: Header
    angle_min: float32
    angle_max: float32
    angle_increment: float32
    time_increment: float32
    scan_time: float32
    range_min: float32
    range_max: float32
    ranges: sequence[float32]
    intensities: sequence[float32]


@dataclass
class Vector3(IdlStruct, **ros("geometry_msgs", "Vector3")):
    x: float64
    y: float64
    z: float64


@dataclass
class Point(IdlStruct, **ros("geometry_msgs", "Point")):
    x: float64
    y: float64
    z: float64


@dataclass
class Quaternion(IdlStruct, **ros("geometry_msgs", "Quaternion")):
    x: float64
    y: float64
    z: float64
    w: float64


@dataclass
class Transform(IdlStruct, **ros("geometry_msgs", "Transform")):
    translation: Vector3
    rotation: Quaternion


@dataclass
class TransformStamped(IdlStruct, **ros("geometry_msgs", "TransformStamped")):
    header: Header
    child_frame_id: str
    transform: Transform


@dataclass
class TFMessage(IdlStruct, **ros("tf2_msgs", "TFMessage")):
    transforms: sequence[TransformStamped]


@dataclass
class Pose(IdlStruct, **ros("geometry_msgs", "Pose")):
    position: Point
    orientation: Quaternion


@dataclass
class MapMetaData(IdlStruct, **ros("nav_msgs", "MapMetaData")):
    map_load_time: Time
    resolution: float32
    width: uint32
    height: uint32
    origin: Pose


@dataclass
class OccupancyGrid(IdlStruct, **ros("nav_msgs", "OccupancyGrid")):
    header: Header
    info: MapMetaData
    data: sequence[int8]


@dataclass
class PoseStamped(IdlStruct, **ros("geometry_msgs", "PoseStamped")):
    header: Header
    pose: Pose


@dataclass
class KeyValue(IdlStruct, **ros("diagnostic_msgs", "KeyValue")):
    key: str
    value: str


@dataclass
class DiagnosticStatus(IdlStruct, **ros("diagnostic_msgs", "DiagnosticStatus")):
    level: uint8
    name: str
    message: str
    hardware_id: str
    values: sequence[KeyValue]


@dataclass
class DiagnosticArray(IdlStruct, **ros("diagnostic_msgs", "DiagnosticArray")):
    header: Header
    status: sequence[DiagnosticStatus]


@dataclass
class Float64(IdlStruct, **ros("std_msgs", "Float64")):
    data: float64


@dataclass
class Gid(IdlStruct, **ros("rmw_dds_common", "Gid")):
    data: array[uint8, 16]


@dataclass
class NodeEntitiesInfo(IdlStruct, **ros("rmw_dds_common", "NodeEntitiesInfo")):
    node_namespace: str
    node_name: str
    reader_gid_seq: sequence[Gid]
    writer_gid_seq: sequence[Gid]


@dataclass
class ParticipantEntitiesInfo(IdlStruct, **ros("rmw_dds_common", "ParticipantEntitiesInfo")):
    gid: Gid
    node_entities_info_seq: sequence[NodeEntitiesInfo]


# Up to Humble identities are longer, and the type's name is the same.
@dataclass
class HumbleGid(IdlStruct, **ros("rmw_dds_common", "Gid")):
    data: array[uint8, 24]


@dataclass
class HumbleNodeEntitiesInfo(IdlStruct, **ros("rmw_dds_common", "NodeEntitiesInfo")):
    node_namespace: str
    node_name: str
    reader_gid_seq: sequence[HumbleGid]
    writer_gid_seq: sequence[HumbleGid]


@dataclass
class HumbleParticipantEntitiesInfo(IdlStruct, **ros("rmw_dds_common", "ParticipantEntitiesInfo")):
    gid: HumbleGid
    node_entities_info_seq: sequence[HumbleNodeEntitiesInfo]


# rmw_cyclonedds writes who asks, and the how many-th question it is, before each message.
@dataclass
class GetMapRequest(IdlStruct, typename="nav_msgs::srv::dds_::GetMap_Request_"):
    client: uint64
    number: int64
    nothing: uint8


@dataclass
class GetMapResponse(IdlStruct, typename="nav_msgs::srv::dds_::GetMap_Response_"):
    client: uint64
    number: int64
    map: OccupancyGrid


@dataclass
class String(IdlStruct, **ros("std_msgs", "String")):
    data: str


@dataclass
class SaveMapRequest(IdlStruct, typename="slam_toolbox::srv::dds_::SaveMap_Request_"):
    client: uint64
    number: int64
    name: String


@dataclass
class SaveMapResponse(IdlStruct, typename="slam_toolbox::srv::dds_::SaveMap_Response_"):
    client: uint64
    number: int64
    result: uint8


BEST_EFFORT = Policy.Reliability.BestEffort
RELIABLE = Policy.Reliability.Reliable(duration(milliseconds=100))
SENSOR_DATA = Qos(BEST_EFFORT, Policy.Durability.Volatile, Policy.History.KeepLast(5))
DEFAULT = Qos(RELIABLE, Policy.Durability.Volatile, Policy.History.KeepLast(1000))
LATCHED = Qos(RELIABLE, Policy.Durability.TransientLocal, Policy.History.KeepLast(1))
# As nodes subscribe to what others say of themselves.
GRAPH = Qos(RELIABLE, Policy.Durability.TransientLocal, Policy.History.KeepAll)
# Since Iron nodes say so of every endpoint.
WITH_TYPE_HASH = GRAPH + Qos(Policy.Userdata(b"typehash=RIHS01_" + b"0" * 64 + b";"))

domain = int(sys.argv[1])
participant = DomainParticipant(domain)


def say(*words):
    # In one write: print has one for each word, and other threads' words would come between them.
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def writer(topic, kind, qos):
    return DataWriter(participant, Topic(participant, topic, kind), qos=qos)


def reader(topic, kind, qos):
    return DataReader(participant, Topic(participant, topic, kind), qos=qos)


def samples(topic, kind, qos):
    source = reader(topic, kind, qos)
    while True:
        for sample in source.take(N=100):
            if hasattr(sample, source_field(kind)):
                yield sample
        time.sleep(0.005)


def source_field(kind):
    return next(iter(kind.__dataclass_fields__))


def now():
    nanos = time.time_ns()
    return Time(nanos // 10**9, nanos % 10**9)


# --- what a peer can do ---------------------------------------------------------------------------


def robot():
    """Scans of a room without walls to one side, and odometry, by best effort."""
    mounts = writer("rt/tf_static", TFMessage, LATCHED)
    mount = Transform(Vector3(0.1, 0, 0.2), Quaternion(0, 0, 0, 1))
    mounts.write(TFMessage([TransformStamped(Header(now(), "base_link"), "laser", mount)]))
    scans = writer("rt/scan", LaserScan, SENSOR_DATA)
    tf = writer("rt/tf", TFMessage, SENSOR_DATA)
    for number in range(1_000_000):
        stamp = now()
        still = Transform(Vector3(number / 1000, 0, 0), Quaternion(0, 0, 0, 1))
        tf.write(TFMessage([TransformStamped(Header(stamp, "odom"), "base_link", still)]))
        ranges = [1 + i / 100 for i in range(718)] + [float("inf"), float("nan")]
        scans.write(
            LaserScan(Header(stamp, "laser"), -3.14, 3.14, 0.00872, 0, 0.05, 0.1, 12, ranges, []))
        time.sleep(0.05)


def maps(name):
    for grid in samples("rt/map", OccupancyGrid, LATCHED):
        data = bytes(each & 255 for each in grid.data)
        say(name, grid.info.width, grid.info.height, grid.header.frame_id, zlib.crc32(data))


def late():
    time.sleep(1)
    maps("late")


def numbers(topic="rt/numbers"):
    """Numbers as they come, by reliable delivery."""
    for sample in samples(topic, Float64, DEFAULT):
        say("number", int(sample.data))


def count():
    """Numbers of its own, so many that a link's outage is within its history."""
    target = writer("rt/count", Float64, DEFAULT)
    while not target.get_matched_subscriptions():
        time.sleep(0.01)
    for number in range(400):
        target.write(Float64(number))
        time.sleep(0.025)


def wrong():
    """Subscribers and publishers that cannot be matched."""
    kept = [
        reader("rt/numbers", LaserScan, DEFAULT),
        reader("rt/numbers", Float64, LATCHED),
        writer("rt/count", Float64, SENSOR_DATA),
        writer(
            "rt/count",
            Float64,
            DEFAULT + Qos(Policy.DataRepresentation(use_xcdrv2_representation=True))),
    ]
    say("wrong", len(kept))
    time.sleep(1000)


def tf():
    """Transforms, with the time at which they come, in milliseconds."""
    for sample in samples("rt/tf", TFMessage, DEFAULT):
        for each in sample.transforms:
            say("tf", each.header.frame_id, each.child_frame_id, time.monotonic_ns() // 10**6)


def nodes(kind, qos):
    for info in samples("ros_discovery_info", kind, qos):
        for node in info.node_entities_info_seq:
            counts = len(node.reader_gid_seq), len(node.writer_gid_seq)
            own = [gid.data[:12] == info.gid.data[:12] and not any(gid.data[16:])
                   for gid in [info.gid, *node.reader_gid_seq, *node.writer_gid_seq]]
            say("node", node.node_namespace, node.node_name, *counts, all(own))


def metadata():
    for info in samples("rt/map_metadata", MapMetaData, LATCHED):
        say("metadata", info.width > 0, info.height > 0, round(info.resolution, 3))


def pose():
    for stamped in samples("rt/cartostream/pose", PoseStamped, DEFAULT):
        turn = stamped.pose.orientation
        say("pose", stamped.header.frame_id, round(turn.z**2 + turn.w**2, 6))


def diagnostics():
    for array in samples("rt/diagnostics", DiagnosticArray, DEFAULT):
        for status in array.status:
            say("diagnostics", status.hardware_id, len(status.values) > 0)


def graph():
    nodes(ParticipantEntitiesInfo, WITH_TYPE_HASH)


def humble():
    nodes(HumbleParticipantEntitiesInfo, GRAPH)


def drive():
    """The drive in the file beside this script, by best effort, once it is listened to.

    A line is a stamp in nanoseconds, where the wheels think the robot is (x, y, theta), and ranges;
    the first line is of the laser: its mount's x, start angle, angle step, least and greatest range.
    """
    lines = (pathlib.Path(__file__).parent / "drive.txt").read_text().splitlines()
    x, start, step, least, most = map(float, lines[0].split())
    mounts = writer("rt/tf_static", TFMessage, LATCHED)
    mount = Transform(Vector3(x, 0, 0), Quaternion(0, 0, 0, 1))
    mounts.write(TFMessage([TransformStamped(Header(now(), "base_link"), "laser", mount)]))
    scans = writer("rt/scan", LaserScan, SENSOR_DATA)
    odometry = writer("rt/tf", TFMessage, SENSOR_DATA)
    while not scans.get_matched_subscriptions() or not odometry.get_matched_subscriptions():
        time.sleep(0.01)
    for line in lines[1:]:
        words = line.split()
        nanos = int(words[0])
        x, y, theta, *ranges = map(float, words[1:])
        wheels = Transform(Vector3(x, y, 0), Quaternion(0, 0, math.sin(theta / 2), math.cos(theta / 2)))

        def odometry_at(at):
            header = Header(Time(at // 10**9, at % 10**9), "odom")
            odometry.write(TFMessage([TransformStamped(header, "base_link", wheels)]))

        odometry_at(nanos - 5_000_000)
        last = start + step * (len(ranges) - 1)
        header = Header(Time(nanos // 10**9, nanos % 10**9), "laser")
        scans.write(LaserScan(header, start, last, step, 0, 0, least, most, ranges, []))
        odometry_at(nanos + 5_000_000)
        time.sleep(0.1)
    say("driven", len(lines) - 1)


def replies(service, ask, reply, questions):
    """The replies to questions to a service, each asked when the one before is answered."""
    asks = writer(f"rq/{service}Request", ask, DEFAULT)
    source = reader(f"rr/{service}Reply", reply, DEFAULT)
    while not asks.get_matched_subscriptions() or not source.get_matched_publications():
        time.sleep(0.01)
    for question in questions:
        asks.write(question)
        while True:
            found = source.take(N=10)
            if found:
                break
            time.sleep(0.01)
        yield from found


def call():
    questions = [GetMapRequest(4711, number, 0) for number in range(1, 4)]
    for each in replies("dynamic_map", GetMapRequest, GetMapResponse, questions):
        say("reply", each.client, each.number, each.map.info.width, each.map.info.height)


def save():
    questions = [SaveMapRequest(4712, 1, String("floor")), SaveMapRequest(4712, 2, String("/floor"))]
    for each in replies("slam_toolbox/save_map", SaveMapRequest, SaveMapResponse, questions):
        say("saved", each.client, each.number, each.result)


def here():
    say("here")
    time.sleep(1000)


DOES = dict(robot=robot, drive=drive, count=count, wrong=wrong, here=here,
            map=lambda: maps("map"), late=late, metadata=metadata, tf=tf, pose=pose,
            diagnostics=diagnostics, numbers=numbers,
            namespaced=lambda: numbers("rt/robot1/numbers"),
            graph=graph, humble=humble, call=call, save=save)
for each in [threading.Thread(target=DOES[what]) for what in sys.argv[2:]]:
    each.start()
