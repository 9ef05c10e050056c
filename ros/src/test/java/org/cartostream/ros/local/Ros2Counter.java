package org.cartostream.ros.local;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.message.GetMap;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.MapMetaData;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Vector3;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.ros2.Ros2Node;
import org.cartostream.ros.rtps.participant.DomainAccess;

/**
 * A program with a node of ROS 2, to be run in another network namespace: it publishes a map of 90
 * m square, once, and 10 numbers a second, of which the last 100 are sent again if they are lost;
 * it prints the numbers that it hears on {@code count}, and what becomes of the graph.
 */
public final class Ros2Counter {

  private static final long PERIOD_MILLIS = 100;
  private static final int SIDE = 1800;

  private Ros2Counter() {}

  /** Starts the program on the first of two hosts. */
  public static Process start(Path output, int domain, TwoHosts hosts) throws IOException {
    List<String> command = new ArrayList<>(List.of(hosts.onFirst()));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Ros2Counter.class.getName(),
            Integer.toString(domain),
            TwoHosts.FIRST_ADDRESS));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  /** With the domain, and the address of the interface. */
  public static void main(String[] arguments) throws Exception {
    DomainAccess access =
        new DomainAccess(
            Integer.parseInt(arguments[0]),
            List.of(InetAddress.getByName(arguments[1])),
            true,
            true,
            List.of());
    try (RosNode node =
        Ros2Node.start(access, new GraphNames("/", "counter", Map.of()), new Printing())) {
      node.subscribe(
          "count", Float64.TYPE, TopicQos.RELIABLE, each -> print("count " + (int) each.data()));
      node.subscribe(
          "scan",
          LaserScan.TYPE,
          scan -> print("scan " + scan.ranges().length + " " + scan.ranges()[719]));
      node.subscribe(
          "/tf",
          TfMessage.TYPE,
          message -> print("tf " + message.transforms().get(0).childFrameId()));
      byte[] cells = new byte[SIDE * SIDE];
      new Random(1).nextBytes(cells);
      RosPose origin = new RosPose(new Vector3(0, 0, 0), new Quaternion(0, 0, 0, 1));
      RosOccupancyGrid map =
          new RosOccupancyGrid(
              new Header(0, 1, "map"), new MapMetaData(1, 0.05f, SIDE, SIDE, origin), cells);
      node.advertise("map", RosOccupancyGrid.TYPE, true).send(map);
      node.advertiseService("dynamic_map", GetMap.TYPE, asked -> new GetMap.Response(map));
      RosNode.Publisher<Float64> numbers = node.advertise("numbers", Float64.TYPE, false);
      for (int number = 0; ; number++) {
        numbers.send(new Float64(number));
        TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
      }
    }
  }

  private static void print(String line) {
    System.out.println(line);
  }

  private static final class Printing implements RosNodeListener {
    @Override
    public void onMasterAway(String why) {
      print("away");
    }

    @Override
    public void onMasterBack() {
      print("back");
    }

    @Override
    public void onTrouble(String subject, String why) {
      print(subject + ": " + why);
    }

    @Override
    public void onShutdown(String why) {
      print("shutdown");
    }

    @Override
    public void onFailure(String why) {
      print("failure");
    }
  }
}
