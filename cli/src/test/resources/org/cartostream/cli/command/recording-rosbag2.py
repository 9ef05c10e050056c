# What keeps rosbag2 from a recording, by the rules of rosbag2_storage_mcap and rosbag2_cpp:
# recording-rosbag2.py RUN_MCAP. Prints what is wrong, and the durability of each topic.
import re
import sys

from mcap.reader import make_reader

with open(sys.argv[1], "rb") as file:
    reader = make_reader(file)
    summary = reader.get_summary()
    print("profile", reader.get_header().profile)
for channel in summary.channels.values():
    schema = summary.schemas.get(channel.schema_id)
    if schema is None or schema.encoding != "ros2msg" or not re.match(r"\w+/msg/\w+$", schema.name):
        print("wrong: no schema of ROS 2 for", channel.topic)
    qos = channel.metadata.get("offered_qos_profiles", "")
    print(channel.topic, "durability", *re.findall(r"durability: (\d)", qos))
print("encodings", *sorted({channel.message_encoding for channel in summary.channels.values()}))
