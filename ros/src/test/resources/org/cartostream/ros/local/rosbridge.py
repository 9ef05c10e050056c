"""A rosbridge server for tests: rosbridge protocol 2 as its specification has it, without ROS.

It is strict where the server of ROS 2 is: types are written pkg/msg/Type and pkg/srv/Type, a header
has no seq, JSON has no NaN, and nobody publishes what was not advertised. Latched topics are
transient_local: who subscribes late is told the last message, as long as its publisher is there.

Scans go out as cbor-raw or cbor to who asks for that, and it prints how many bytes they have so and in JSON;
of all else it sends JSON, as a server that knows no CBOR. COMPRESSIONS are those that it knows, with commas
between; it refuses others if 'none' is among them, else it sends JSON, as older servers do.

As rosbridge's own, it closes the connection at a larger message than it takes, and puts fragments together.

    python rosbridge.py PORT MAX_BYTES COMPRESSIONS
"""

import json
import re
import struct
import sys

from autobahn.twisted.websocket import WebSocketServerFactory, WebSocketServerProtocol
from twisted.internet import reactor

MESSAGE = re.compile(r"^\w+/msg/\w+$")
SERVICE = re.compile(r"^\w+/srv/\w+$")


class Refused(Exception):
    """What is said makes no sense; the sentence goes into a status message."""


def needs(condition, sentence):
    if not condition:
        raise Refused(sentence)


def no_constant(name):
    raise Refused("JSON knows no %s" % name)


def check_headers(value):
    if isinstance(value, dict):
        header = "frame_id" in value and "stamp" in value
        needs(not header or set(value) == {"frame_id", "stamp"}, "a header has no such fields: %s" % list(value))
        needs(not header or set(value["stamp"]) == {"sec", "nanosec"}, "a stamp is sec and nanosec")
        value = list(value.values())
    if isinstance(value, list) and not (value and isinstance(value[0], (int, float))):
        for each in value:
            check_headers(each)


def in_memory(scan):
    """A sensor_msgs/msg/LaserScan of floats of 32 bits, as ROS 2 has it in memory. Infinity, for which JSON
    has no word, comes to this server as null."""
    def single(number):
        return struct.unpack("<f", struct.pack("<f", float("inf") if number is None else number))[0]
    return {name: value if name == "header" else [single(each) for each in value] if isinstance(value, list)
            else single(value) for name, value in scan.items()}


def cdr_scan(scan):
    """The same in CDR."""
    stamp, frame = scan["header"]["stamp"], scan["header"]["frame_id"].encode() + b"\0"
    out = struct.pack("<iII", stamp["sec"], stamp["nanosec"], len(frame)) + frame
    out += b"\0" * (-len(out) % 4)
    names = "angle_min angle_max angle_increment time_increment scan_time range_min range_max"
    out += struct.pack("<7f", *(scan[name] for name in names.split()))
    for name in "ranges", "intensities":
        out += struct.pack("<I%df" % len(scan[name]), len(scan[name]), *scan[name])
    return b"\0\1\0\0" + out


def cbor(value):
    """RFC 8949, as far as it is needed; a list is an array of floats of 32 bits, by RFC 8746."""
    def head(kind, number):
        return struct.pack(">BI", kind << 5 | 26, number)
    if isinstance(value, dict):
        return head(5, len(value)) + b"".join(cbor(each) for pair in value.items() for each in pair)
    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, float):
        return struct.pack(">Bd", 7 << 5 | 27, value)
    if isinstance(value, list):
        return head(6, 85) + cbor(struct.pack("<%df" % len(value), *value))
    return head(2, len(value)) + value if isinstance(value, bytes) else head(3, len(value)) + value.encode()


class Graph:
    """Who publishes, hears and serves what."""

    def __init__(self):
        self.types = {}
        self.subscribers = {}
        self.latched = {}
        self.services = {}
        self.calls = {}
        self.fragments = {}

    def forget(self, client):
        for topic in client.advertised:
            self.latched.pop(topic, None)
        for clients in self.subscribers.values():
            clients.discard(client)
        for name in [n for n, c in self.services.items() if c is client]:
            del self.services[name]

    def typed(self, topic, name):
        name = str(name)
        if not MESSAGE.match(name) and re.match(r"^\w+/\w+$", name):
            name = name.replace("/", "/msg/")  # ROS 2's server takes the short form, too.
        needs(MESSAGE.match(name), "there is no message type '%s'" % name)
        known = self.types.setdefault(topic, name)
        needs(known == name, "%s is %s, not %s" % (topic, known, name))


GRAPH = Graph()
KNOWN = sys.argv[3].split(",")


class Bridge(WebSocketServerProtocol):
    def onConnect(self, request):
        self.advertised = {}
        self.compressions = {}

    def onMessage(self, payload, binary):
        word = {}
        try:
            word = json.loads(payload.decode("utf-8"), parse_constant=no_constant)
            needs(hasattr(self, "op_" + str(word.get("op"))), "Unknown operation: %s" % word.get("op"))
            getattr(self, "op_" + word["op"])(word)
        except (Refused, KeyError, ValueError) as e:
            self.say({"op": "status", "level": "error", "msg": str(e), "id": word.get("id")})

    def onClose(self, clean, code, reason):
        if hasattr(self, "advertised"):
            GRAPH.forget(self)

    def say(self, word):
        most, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0  # It is for what comes in.
        self.sendMessage(json.dumps(word, allow_nan=False).encode("utf-8"))
        self.maxMessagePayloadSize = most

    def op_fragment(self, word):
        parts = GRAPH.fragments.setdefault(word["id"], {})
        parts[word["num"]] = word["data"]
        if len(parts) == word["total"]:
            del GRAPH.fragments[word["id"]]
            self.onMessage("".join(parts[i] for i in range(len(parts))).encode("utf-8"), False)

    def op_advertise(self, word):
        GRAPH.typed(word["topic"], word["type"])
        self.advertised[word["topic"]] = word.get("latch", False)

    def op_unadvertise(self, word):
        self.advertised.pop(word["topic"], None)

    def op_publish(self, word):
        topic = word["topic"]
        needs(topic in self.advertised, "%s is not advertised" % topic)
        check_headers(word["msg"])
        told = {"op": "publish", "topic": topic, "msg": word["msg"]}
        if self.advertised[topic]:
            GRAPH.latched[topic] = told
        for client in list(GRAPH.subscribers.get(topic, ())):
            compression = client.compressions.get(topic)
            if compression and GRAPH.types[topic] == "sensor_msgs/msg/LaserScan":
                scan = in_memory(word["msg"])
                raw = {"secs": 1, "nsecs": 2, "bytes": cdr_scan(scan)}
                sent = cbor({**told, "msg": raw if compression == "cbor-raw" else scan})
                client.sendMessage(sent, True)
                print("bytes", compression, len(sent), len(json.dumps({**told, "msg": scan})), flush=True)
            else:
                client.say(told)

    def op_subscribe(self, word):
        topic = word["topic"]
        if word.get("type"):
            GRAPH.typed(topic, word["type"])
        asked = word.get("compression", "none")
        needs(asked in KNOWN or "none" not in KNOWN, "Unknown compression: %s" % asked)
        GRAPH.subscribers.setdefault(topic, set()).add(self)
        self.compressions[topic] = asked if asked in KNOWN and asked != "none" else None
        if topic in GRAPH.latched:
            self.say(GRAPH.latched[topic])

    def op_unsubscribe(self, word):
        GRAPH.subscribers.get(word["topic"], set()).discard(self)

    def op_advertise_service(self, word):
        needs(SERVICE.match(word["type"]), "there is no service type '%s'" % word["type"])
        GRAPH.services[word["service"]] = self

    def op_unadvertise_service(self, word):
        GRAPH.services.pop(word["service"], None)

    def op_call_service(self, word):
        service = word["service"]
        needs(service in GRAPH.services, "nobody serves %s" % service)
        name = "service_request:%s:%d" % (service, len(GRAPH.calls))
        GRAPH.calls[name] = (self, word.get("id"))
        call = {"op": "call_service", "id": name, "service": service, "args": word.get("args", [])}
        GRAPH.services[service].say(call)

    def op_service_response(self, word):
        client, identifier = GRAPH.calls.pop(word["id"])
        needs("result" in word, "a response has a result")
        check_headers(word.get("values"))
        client.say({**word, "id": identifier})


factory = WebSocketServerFactory()
factory.protocol = Bridge
factory.setProtocolOptions(autoPingInterval=0, maxMessagePayloadSize=int(sys.argv[2]))
reactor.listenTCP(int(sys.argv[1]), factory, interface="127.0.0.1")
print("listening", flush=True)
reactor.run()
