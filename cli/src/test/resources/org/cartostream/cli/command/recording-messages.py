# Prints the last message of each of some topics by the format's own library, a line of JSON with its
# schema and its bytes in base64: recording-messages.py RUN_MCAP TOPIC...
import base64
import json
import sys

from mcap.reader import make_reader

last = {}
with open(sys.argv[1], "rb") as file:
    for schema, channel, message in make_reader(file).iter_messages(topics=sys.argv[2:]):
        last[channel.topic] = (schema, message)
for topic, (schema, message) in sorted(last.items()):
    data = base64.b64encode(message.data).decode()
    print(json.dumps({"topic": topic, "schema": schema.data.decode(), "data": data}))
