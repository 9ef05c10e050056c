"""A robot of ROS 2, by roslibpy: an independent client of rosbridge.

    python robot.py PORT

Publishes a scan until the node under test has answered with a map, hears the latched map late, calls
both services, and prints what it has got as JSON, a line each.
"""

import json
import sys
import threading

import roslibpy

ros = roslibpy.Ros(host="127.0.0.1", port=int(sys.argv[1]))
ros.run(timeout=20)


def tell(what, value):
    print(json.dumps({what: value}), flush=True)


def wait_for(event, what):
    if not event.wait(20):
        tell("missing", what)
        ros.terminate()
        sys.exit(1)


def call(name, kind):
    service = roslibpy.Service(ros, name, kind)
    answered = threading.Event()
    said = {}

    def good(values):
        said["values"] = dict(values)
        answered.set()

    def bad(sentence):
        said["refused"] = sentence
        answered.set()

    service.call(roslibpy.ServiceRequest({}), good, bad)
    wait_for(answered, name)
    tell(name, said)


call("/dynamic_map", "nav_msgs/srv/GetMap")
answered = threading.Event()
pose = roslibpy.Topic(ros, "/cartostream/pose", "geometry_msgs/msg/PoseStamped")
pose.subscribe(lambda message: (tell("pose", message), answered.set()) if not answered.is_set() else None)
scan = roslibpy.Topic(ros, "/scan", "sensor_msgs/msg/LaserScan")
scan.advertise()
for _ in range(100):
    scan.publish(
        roslibpy.Message(
            {
                "header": {"stamp": {"sec": 1700000000, "nanosec": 123456789}, "frame_id": "laser"},
                "angle_min": -1.0,
                "angle_max": 1.0,
                "angle_increment": 1,
                "time_increment": 0.0,
                "scan_time": 0.0,
                "range_min": 0.05,
                "range_max": 8.0,
                "ranges": [1.5, None, 2],
                "intensities": [],
            }
        )
    )
    if answered.wait(0.2):
        break
wait_for(answered, "pose")
late = threading.Event()
latched = roslibpy.Topic(ros, "/map", "nav_msgs/msg/OccupancyGrid")
latched.subscribe(lambda message: (tell("map", message), late.set()))
wait_for(late, "map")
call("/dynamic_map", "nav_msgs/srv/GetMap")
call("/cartostream/save_map", "std_srvs/srv/Trigger")
ros.terminate()
