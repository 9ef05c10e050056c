# A client of Foxglove's protocol that is not ours, by websockets, which decodes by rosbags:
# client.py URL PROTOCOL ROSBAGS_SITE_PACKAGES. Prints what it was sent.
import asyncio
import json
import struct
import sys

import websockets

url, protocol, rosbags = sys.argv[1:]
sys.path.append(rosbags)
from rosbags.typesys import Stores, get_types_from_msg, get_typestore  # noqa: E402

WANTED = ("/map", "/scan", "/cartostream/pose", "/tf_static", "/cartostream/particles",
          "/cartostream/loops")


async def main():
    types = get_typestore(Stores.ROS2_HUMBLE)
    async with websockets.connect(url, subprotocols=[protocol], max_size=None) as socket:
        print("protocol", socket.subprotocol)
        info = json.loads(await socket.recv())
        print("op", info["op"], info["name"])
        channels = {c["topic"]: c for c in json.loads(await socket.recv())["channels"]}
        print("channels", len(channels))
        for channel in channels.values():
            if channel["encoding"] == "cdr":  # Whatever is described can be parsed.
                get_types_from_msg(channel["schema"], channel["schemaName"])
        ids = {channels[topic]["id"]: topic for topic in WANTED}
        await socket.send(json.dumps({
            "op": "subscribe",
            "subscriptions": [{"id": 100 + id, "channelId": id} for id in ids]}))
        await socket.send(json.dumps({"op": "getParameters"}))
        seen = set()
        while len(seen) < len(WANTED) + 1:
            message = await socket.recv()
            if isinstance(message, str):
                print("status", json.loads(message)["message"], flush=True)
                seen.add("status")
                continue
            op, subscription, stamp = struct.unpack_from("<BIQ", message)
            assert op == 1, op
            topic = ids[subscription - 100]
            if topic in seen:
                continue
            seen.add(topic)
            content = types.deserialize_cdr(message[13:], channels[topic]["schemaName"])
            if topic == "/map":
                print("map", content.info.width, content.info.height, [int(cell) for cell in content.data])
            elif topic == "/scan":
                print("scan", stamp, [round(float(r), 3) for r in content.ranges])
            elif topic == "/cartostream/pose":
                print("pose", content.header.frame_id, content.pose.position.x)
            elif topic == "/cartostream/particles":
                place = content.poses[0].position
                print("particles", content.header.frame_id, [place.x, place.y])
            elif topic == "/cartostream/loops":
                places = [number for point in content.points for number in (point.x, point.y)]
                print("loops", content.header.frame_id, content.type, places)
            else:
                print("mount", content.transforms[0].transform.translation.x)


asyncio.run(main())
