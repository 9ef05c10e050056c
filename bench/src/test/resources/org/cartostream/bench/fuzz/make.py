"""Made the small logs beside this script, from the beginnings of larger ones:

    pip install lz4
    python make.py ../shared/inputs datasets/office.clf datasets/office.reference.tum

A bag has many small chunks, each with its index, as rosbag writes them.
"""

import bz2
import gzip
import pathlib
import sqlite3
import struct
import sys
import zlib

import lz4.frame

HERE = pathlib.Path(__file__).parent
SCANS = 8
CHUNK_BYTES = 4000


# --- bags (wiki.ros.org/Bags/Format/2.0) ---------------------------------------------------------


def fields(header):
    found, at = {}, 0
    while at < len(header):
        (length,) = struct.unpack_from("<i", header, at)
        name, value = header[at + 4 : at + 4 + length].split(b"=", 1)
        found[name.decode()] = value
        at += 4 + length
    return found


def records(data, at=0):
    while at < len(data):
        (header,) = struct.unpack_from("<i", data, at)
        (length,) = struct.unpack_from("<i", data, at + 4 + header)
        end = at + 8 + header + length
        yield fields(data[at + 4 : at + 4 + header]), data[at + 8 + header : end], data[at:end]
        at = end


def record(data, **header):
    packed = b""
    for name, value in header.items():
        field = name.encode() + b"=" + value
        packed += struct.pack("<i", len(field)) + field
    return struct.pack("<i", len(packed)) + packed + struct.pack("<i", len(data)) + data


def number(value):
    return struct.pack("<i", value)


def bag_header(index, connections, chunks):
    return record(
        b" " * 60,
        op=b"\x03",
        index_pos=struct.pack("<q", index),
        conn_count=number(connections),
        chunk_count=number(chunks),
    )


def bag(source, compression):
    pack = {"none": bytes, "bz2": bz2.compress, "lz4": lz4.frame.compress}[compression]
    magic = b"#ROSBAG V2.0\n"
    (chunk,) = [data for header, data, _ in records(source, len(magic)) if header["op"] == b"\x05"]
    connections, scans, chunks = {}, 0, [[]]
    for header, data, whole in records(chunk):
        if header["op"] == b"\x07":
            connections[header["conn"]] = (header["topic"], whole)
        scans += connections[header["conn"]][0] == b"/scan" and header["op"] == b"\x02"
        if sum(len(each) for _, each in chunks[-1]) > CHUNK_BYTES:
            chunks.append([])
        chunks[-1].append((header, whole))
        if scans == SCANS:
            break
    out = magic + bag_header(0, 0, 0)
    infos = []
    for chunk in chunks:
        entries, content = {}, b""
        for header, whole in chunk:
            if header["op"] == b"\x02":
                entry = header["time"] + number(len(content))
                entries.setdefault(header["conn"], []).append(entry)
            content += whole
        counts = b"".join(conn + number(len(all)) for conn, all in entries.items())
        times = [header["time"] for header, _ in chunk if header["op"] == b"\x02"]
        infos.append(
            record(
                counts,
                op=b"\x06",
                ver=number(1),
                chunk_pos=struct.pack("<q", len(out)),
                start_time=times[0],
                end_time=times[-1],
                count=number(len(entries)),
            )
        )
        size = number(len(content))
        out += record(pack(content), op=b"\x05", compression=compression.encode(), size=size)
        for conn, all in entries.items():
            out += record(b"".join(all), op=b"\x04", ver=number(1), conn=conn, count=number(len(all)))
    index = len(out)
    out += b"".join(whole for _, whole in connections.values()) + b"".join(infos)
    header = bag_header(index, len(connections), len(chunks))
    return magic + header + out[len(magic) + len(header) :]


# --- MCAP files (mcap.dev/spec) ------------------------------------------------------------------

MCAP = b"\x89MCAP0\r\n"


def mcap(source, most):
    """The first records of an MCAP file without chunks, and an end."""
    at = len(MCAP)
    while at < most:
        (length,) = struct.unpack_from("<q", source, at + 1)
        at += 9 + length
    data_end = b"\x0f" + struct.pack("<qI", 4, 0)
    footer = b"\x02" + struct.pack("<qqqI", 20, 0, 0, 0)
    return source[:at] + data_end + footer + MCAP


# --- databases and maps --------------------------------------------------------------------------


def text(record, at):
    (length,) = struct.unpack_from("<I", record, at)
    return record[at + 4 : at + 4 + length].decode(), at + 4 + length


def database(path, source):
    """What an MCAP file without chunks has."""
    path.unlink(missing_ok=True)
    types, at = {}, len(MCAP)
    with sqlite3.connect(path) as out:
        out.execute("PRAGMA page_size = 512")
        out.executescript(
            """
            CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
              serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);
            CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL,
              timestamp INTEGER NOT NULL, data BLOB NOT NULL);
            CREATE INDEX timestamp_idx ON messages (timestamp ASC);
            """
        )
        while at < len(source) - len(MCAP):
            op, length = struct.unpack_from("<Bq", source, at)
            record = source[at + 9 : at + 9 + length]
            at += 9 + length
            if op == 3:
                types[struct.unpack_from("<H", record)[0]] = text(record, 2)[0]
            elif op == 4:
                number, schema = struct.unpack_from("<HH", record)
                name, end = text(record, 4)
                topic = (number, name, types[schema], text(record, end)[0])
                out.execute("INSERT OR IGNORE INTO topics VALUES(?, ?, ?, ?, '')", topic)
            elif op == 5:
                number, _, stamp = struct.unpack_from("<HIQ", record)
                row = (number, stamp, record[22:])
                out.execute("INSERT INTO messages VALUES(NULL, ?, ?, ?)", row)


def room():
    width, height = 20, 12
    rows = [
        bytes(254 if 0 < x < width - 1 and 0 < y < height - 1 else 0 for x in range(width))
        for y in range(height)
    ]
    head = b"P5\n# a room\n%d %d\n255\n" % (width, height)
    (HERE / "map.pgm").write_bytes(head + b"".join(rows))
    png = b"\x89PNG\r\n\x1a\n"
    for name, content in (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"tEXt", b"Title\0a room"),
        (b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))),
        (b"IEND", b""),
    ):
        crc = struct.pack(">I", zlib.crc32(name + content))
        png += struct.pack(">I", len(content)) + name + content + crc
    (HERE / "map.png").write_bytes(png)
    (HERE / "map.yaml").write_text(
        "image: map.pgm\nresolution: 0.05\norigin: [-1.5, 2.0, 0.0]\n"
        "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )


# --- texts ---------------------------------------------------------------------------------------


def main(inputs, office, reference):
    inputs = pathlib.Path(inputs)
    for compression in ("none", "bz2", "lz4"):
        source = (inputs / "c30_nan_tf.bag").read_bytes()
        (HERE / f"{compression}.bag").write_bytes(bag(source, compression))
    source = (inputs / "c45_mcap_unchunked_idl.mcap").read_bytes()
    (HERE / "unchunked.mcap").write_bytes(mcap(source, 25_000))
    scans = [line for line in open(office) if "LASER" in line.split(" ")[0]][:SCANS]
    (HERE / "small.clf").write_text("".join(scans))
    (HERE / "small.clf.gz").write_bytes(gzip.compress("".join(scans).encode(), mtime=0))
    graph = open(inputs / "c61c_g2o_ids_step10.g2o").readlines()
    ids = {str(100_000 + 10 * i) for i in range(SCANS)}
    small, vertex = [], False
    for line in graph:
        words = line.split()
        if words[0] == "VERTEX_SE2":
            vertex = words[1] in ids
        if (vertex and not words[0].startswith("EDGE")) or (
            words[0] == "EDGE_SE2" and {words[1], words[2]} <= ids
        ):
            small.append(line)
    (HERE / "small.g2o").write_text("".join(small))
    (HERE / "small.g2o.gz").write_bytes(gzip.compress("".join(small).encode(), mtime=0))
    database(HERE / "small.db3", (HERE / "unchunked.mcap").read_bytes())
    room()
    (HERE / "small.tum").write_text("".join(open(reference).readlines()[:60]))


main(*sys.argv[1:])
