package org.cartostream.cli.command;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.PlaceOptions;
import org.cartostream.cli.options.Ros2Options;
import org.cartostream.cli.options.WebOptions;
import org.cartostream.ros.RosException;
import org.cartostream.ros.node.RosArguments;
import org.cartostream.ros.rosbridge.RosbridgeNode;
import org.cartostream.ros.tcpros.TcpRosNode;
import org.cartostream.run.RobotRun;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.engine.KnownPlace;
import org.cartostream.run.engine.PriorMap;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.files.OutputFolder;
import org.cartostream.run.maps.NeededFiles;
import org.cartostream.run.maps.RunFiles;
import org.cartostream.run.metrics.GatewayMeters;
import org.cartostream.run.settings.RootSettings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code cartostream gateway}. */
@Command(
    name = "gateway",
    description = {
      "Map while a robot drives: take slam_gmapping's or slam_toolbox's place in its ROS graph.",
      "",
      "Subscribes to scan, odom, /tf and /tf_static; publishes map, map_metadata, the transform from"
          + " map to odom, cartostream/pose with the filter's figures, and /diagnostics; serves"
          + " dynamic_map and cartostream/save_map. Frames and parameters are named as slam_gmapping's.",
      "",
      "Broker and service run inside this process unless --broker, or broker.uri, names a broker;"
          + " then a service must run there, or --with-service starts one here.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  cartostream gateway --robot tb3 --ros http://turtlebot:11311",
      "  cartostream gateway --robot tb4 --ros2 --params-file slam.yaml     ROS 2",
      "  cartostream gateway --robot tb4 --rosbridge ws://turtlebot:9090  by JSON",
      "  cartostream gateway --robot tb3 scan:=base_scan _base_frame:=base_footprint",
      "  cartostream gateway --robot tb3 --localise map.yaml --at 1,2,0   where?",
      "  cartostream gateway --robot tb3 --resume  goes on after it was killed",
      "  cartostream gateway --robot tb3 --continue out/monday/run.state",
      "  rosservice call /cartostream/save_map     writes map.pgm and map.yaml",
      "",
      "Ctrl-C ends the run, once the last map has come; a second Ctrl-C gives up, and"
          + " writes the newest one. docs/robots.md says more."
    })
public final class GatewayCommand implements Callable<Integer> {

  private static final String NODE = "cartostream";

  @Spec private CommandSpec spec;

  @ParentCommand private CommandContext parent;

  @Option(
      names = "--robot",
      paramLabel = "ID",
      required = true,
      description = "The robot's id: letters, digits, - and _. Two robots need two ids.")
  private String robot;

  @Option(
      names = "--ros",
      paramLabel = "URI",
      description =
          "The ROS master's address; default: $ROS_MASTER_URI, else http://localhost:11311. ROS_IP"
              + " or ROS_HOSTNAME say under which address the robot finds this computer.")
  private String master;

  @Option(
      names = "--rosbridge",
      paramLabel = "URI",
      description =
          "The robot speaks ROS 2: the address of the rosbridge server beside it, as"
              + " ws://turtlebot:9090. In place of --ros and --ros2.")
  private String rosbridge;

  @Option(
      names = "--broker",
      paramLabel = "URI",
      description =
          "amqp(s)://user:password@host:port/vhost of a running broker, in place of the"
              + " built-in%n(broker.uri).")
  private String broker;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description =
          "Register the robot there (registry.zookeeper), and the service if it runs here;"
              + " 'cartostream robots' lists whom it finds.")
  private String zookeeper;

  @Option(
      names = "--with-service",
      description = "Run the service in this process although there is a broker.")
  private boolean withService;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Folder for the last map and the path, what save_map writes, and the scans that wait in an"
              + " outage; default: out/<robot>.")
  private Path out;

  @Option(
      names = "--resume",
      description =
          "Go on with the run in DIR whose gateway was killed, with the same settings: the same map,"
              + " and no scan that was sent is lost.")
  private boolean resume;

  @Option(
      names = "--force",
      description =
          "With --resume: take the robot away from a gateway that has it and lives. That one ends"
              + " when it learns of it, by ZooKeeper.")
  private boolean force;

  @Option(
      names = "--continue",
      paramLabel = "STATE|MAP",
      description =
          "Go on with the map of an earlier run, by the state that it left%n(run.state), from where"
              + " it ended or --at a pose in its map, as the same robot; or with a map (YAML), --at a"
              + " pose in it. The service runs here.")
  private Path state;

  @Parameters(
      paramLabel = "a:=b",
      description =
          "ROS's own arguments: scan:=base_scan, _maxUrange:=8, __name:=slam_gmapping, __ns:=/r1.")
  private List<String> rosArguments = List.of();

  @Mixin private PlaceOptions placing;

  @Mixin private WebOptions web;

  @Mixin private Ros2Options ros2;

  @Mixin private ConfigurationOptions configuration;

  private static void keepApart(
      Path folder, Optional<KnownPlace> place, Optional<PriorMap> earlier) {
    try {
      NeededFiles.keepApart(folder, place.isPresent() ? place.get().files() : List.of());
      NeededFiles.keepApart(folder, earlier.isPresent() ? earlier.get().files() : List.of());
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    CommandLine line = spec.commandLine();
    checkRobot();
    RosArguments arguments = arguments();
    Map<String, String> parameters = new LinkedHashMap<>(arguments.parameters());
    Optional<KnownPlace> place = placing.place(parameters);
    String suffix = placing.suffix() + (state == null ? "" : "-continued");
    Path folder = out == null ? Path.of("out", robot + suffix) : out;
    Optional<PriorMap> earlier = placing.earlier(state);
    earlier.ifPresent(this::requireSameRobot);
    keepApart(folder, place, earlier);
    if (Stream.of(master != null, rosbridge != null, ros2.isAsked()).filter(each -> each).count()
        > 1) {
      throw ExitException.wrongUsage(
          "--ros, --ros2 and --rosbridge: the robot is in one graph only");
    }
    if (force && !resume) {
      throw ExitException.wrongUsage(
          "--force: only with --resume; it goes on with the other gateway's run");
    }
    OutputFolder.requireOwn(folder, RunFiles.ALL.keySet(), RunCheckpoints.FOLDER);
    RootSettings settings = configuration.settings(flags(Map.of(), earlier)); // Fails early.
    earlier.ifPresent(map -> map.requireFit(settings.slam()));
    if (earlier.isPresent() && !settings.broker().uri().isEmpty() && !withService) {
      throw ExitException.wrongUsage(
          "--continue: the service must run here to take the state, and it runs at the broker;"
              + " --with-service starts one here");
    }
    parent.logEvents("org.cartostream.topology.dispatch", "org.cartostream.topology.metrics");
    RobotRun live =
        new RobotRun(
            robot,
            graph(arguments, parameters),
            configuration.assigned(""),
            withService,
            new RobotRun.Folder(folder, resume, force),
            new RobotRun.Start(place, earlier, placing.isLookedFor()),
            parent.shutdownRequest());
    live.prepareFolders(settings);
    try (GatewayMeters meters = new GatewayMeters(robot, settings.gateway());
        WebOptions.Page page = web.open(parent.shutdownRequest(), line.getErr())) {
      live.run(
          asked -> configuration.settings(flags(asked, earlier)),
          summary -> {
            line.getOut().println(summary);
            line.getOut().flush();
          },
          page.observers(),
          meters);
    }
    return parent.shutdownRequest().exitCode();
  }

  private RobotRun.RosGraph graph(RosArguments arguments, Map<String, String> parameters) {
    if (ros2.isAsked()) {
      return new RobotRun.RosGraph(RegistryEntry.ROS_2, ros2.node(arguments.names()), parameters);
    }
    if (rosbridge == null) {
      return new RobotRun.RosGraph(
          RegistryEntry.ROS_1,
          listener ->
              TcpRosNode.start(
                  arguments.master(), arguments.names(), arguments.environment(), listener),
          parameters);
    }
    try {
      URI server = RosbridgeNode.address(rosbridge);
      return new RobotRun.RosGraph(
          RegistryEntry.ROS_2,
          listener -> RosbridgeNode.start(server, arguments.names(), listener),
          parameters);
    } catch (RosException e) {
      throw ExitException.wrongUsage(e.getMessage(), e);
    }
  }

  private void checkRobot() {
    try {
      RobotId.check(robot);
    } catch (RefusedMessageException e) {
      throw ExitException.wrongUsage("--robot: " + e.getMessage(), e);
    }
  }

  private void requireSameRobot(PriorMap earlier) {
    String same = earlier.robot().orElse(robot);
    if (!same.equals(robot)) {
      throw ExitException.wrongUsage(
          "--robot %s: the state is that of '%s', and its run goes on as that"
              .formatted(robot, same));
    }
  }

  private RosArguments arguments() {
    List<String> all = new ArrayList<>(rosArguments);
    if (master != null) {
      all.add("__master:=" + master);
    }
    try {
      all.addAll(ros2.arguments(NODE, all));
      return RosArguments.read(all, System.getenv(), NODE);
    } catch (RosException e) {
      throw ExitException.wrongUsage(e.getMessage(), e);
    }
  }

  private Map<String, String> flags(Map<String, String> parameters, Optional<PriorMap> earlier) {
    Map<String, String> flags = new LinkedHashMap<>(parameters);
    if (configuration.assigned("slam.seed").isEmpty()) {
      flags.put("slam.seed", earlier.flatMap(PriorMap::seed).orElse(null));
    }
    flags.put("broker.uri", broker);
    flags.put("registry.zookeeper", zookeeper);
    return flags;
  }
}
