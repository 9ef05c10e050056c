package org.cartostream.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.checkpoint.CheckpointPace;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.RunState;
import org.cartostream.checkpoint.S3Store;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.gateway.live.RunStartSearch;
import org.cartostream.gateway.ros.LaunchParameters;
import org.cartostream.gateway.ros.RosGateway;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.ros.RosException;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.engine.KnownPlace;
import org.cartostream.run.engine.LocalisedTrajectory;
import org.cartostream.run.engine.PriorMap;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.OutputFolder;
import org.cartostream.run.files.StaleFiles;
import org.cartostream.run.metrics.GatewayMeters;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.file.MapPicture;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.observer.RunObservers;
import org.cartostream.web.recording.RunRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Run of one live robot, which is mapped or localised until the shutdown request. Joins the robot's
 * ROS graph, and starts a broker and a service of its own unless the settings name others. Owns
 * node, broker and service while it runs.
 *
 * @param robot the robot's id
 * @param graph the robot's ROS graph
 * @param assigned keys of settings that {@code --set} names
 * @param serviceHere true if the service runs in this process although the settings name a broker;
 *     if they name none, the service always runs in this process
 * @param out output folder for maps and the path
 * @param start the map with which the run begins
 * @param interruption the request that ends the run
 */
public record RobotRun(
    String robot,
    RosGraph graph,
    List<String> assigned,
    boolean serviceHere,
    Folder out,
    Start start,
    ShutdownRequest interruption) {

  /**
   * A robot's ROS graph.
   *
   * @param type the graph's type in the robot's registry entry
   * @param node starts a node in the graph
   * @param parameters parameters of the node from the command line
   */
  public record RosGraph(
      String type, Function<RosNodeListener, RosNode> node, Map<String, String> parameters) {}

  /**
   * The run's folder.
   *
   * @param path the folder, which holds maps, the path, and scans that wait while the broker is
   *     away
   * @param resumes true if the run whose files are in the folder is resumed
   * @param forces true if the robot is taken away from another gateway that is still alive
   */
  public record Folder(Path path, boolean resumes, boolean forces) {}

  /**
   * The map with which a run begins, and how.
   *
   * @param place the known map in which the robot is localised; empty if the run makes a map
   * @param earlier the earlier map that the run continues; empty if it begins with an empty map
   * @param isLookedFor true if the robot may be anywhere in the earlier map, and is searched for
   *     first
   */
  public record Start(
      Optional<KnownPlace> place, Optional<PriorMap> earlier, boolean isLookedFor) {}

  private static final Logger LOG = LoggerFactory.getLogger(RosGateway.class);
  private static final long POLL_MILLIS = 200;

  /** Maximum time to wait for a gateway to end after its robot was taken away, seconds. */
  private static final long RELEASE_SECONDS = 60;

  /**
   * Prefix of the settings by which the gateway itself decides which scans are kept in an outage.
   */
  private static final String READING_FILTER = "slam.readingFilter.";

  /**
   * Checks that the run's files can be written. This is done before the robot is there, while
   * somebody is still likely to see the error.
   *
   * @throws ExitException if a folder cannot be written
   */
  public void prepareFolders(RootSettings settings) {
    OutputFolder.prepare(out.path);
    OutputFolder.prepare(
        out.path.resolve(RunCheckpoints.FOLDER), "folder of the run's journal", "--out DIR");
    String checkpoints = durable(settings).checkpoint().folder();
    if (isServiceHere(settings) && !checkpoints.startsWith(S3Store.SCHEME)) {
      OutputFolder.prepare(
          Path.of(checkpoints), "folder of checkpoints", "--set checkpoint.folder=DIR");
    }
    if (isServiceHere(settings)) {
      OutputFolder.prepare(
          Path.of(System.getProperty("java.io.tmpdir")),
          "temporary folder",
          "CARTOSTREAM_JVM_OPTS=-Djava.io.tmpdir=DIR");
    }
  }

  /**
   * Joins the robot's graph and drives the run until its end.
   *
   * @param configuration returns the whole configuration, given the settings that the robot's
   *     launch file names
   * @param summary receives the outcomes of the scans, in a sentence for people
   * @param observers are told what the run does
   * @param meters meters of the run's gateway
   * @throws ExitException if the ROS graph ended the run without a shutdown request, or the run's
   *     end state could not be saved
   */
  public void run(
      Function<Map<String, String>, RootSettings> configuration,
      Consumer<String> summary,
      List<RunObserver> observers,
      GatewayMeters meters)
      throws InterruptedException {
    MasterMonitor master = new MasterMonitor();
    try (RosNode node = graph.node.apply(master)) {
      if (!awaitRobot(node, master, summary)) {
        return;
      }
      meters.joined();
      LaunchParameters asked = LaunchParameters.read(node, graph.parameters);
      if (!asked.ignored().isEmpty()) {
        LOG.warn("parameters without a meaning here: {}", asked.ignored());
      }
      RootSettings settings = configuration.apply(asked.settings());
      if (!settings.broker().uri().isEmpty() && !serviceHere) {
        warnOfServiceKeys(asked.settings().keySet());
      }
      Joined joined =
          new Joined(node, master, watched(observers, settings), meters, new ArrayList<>());
      summary.accept(withBroker(joined, settings));
      if (!joined.unwritten.isEmpty()) {
        throw ExitException.failed(
            "%s: %s".formatted(out.path.resolve(RunState.FILE), joined.unwritten.get(0)));
      }
    } catch (RosException e) {
      throw ExitException.failed(e.getMessage(), e);
    }
    if (!master.failure().isEmpty() && !interruption.requested()) {
      throw ExitException.failed(master.failure());
    }
  }

  /**
   * Waits until the ROS master is there and somebody publishes scans: without scans there is no
   * robot, and no service is started. A resumed run does not wait for scans, for it may lack only
   * its last answers.
   */
  private boolean awaitRobot(RosNode node, MasterMonitor master, Consumer<String> summary)
      throws InterruptedException {
    boolean saidWhy = false;
    while (!master.awaitMaster(POLL_MILLIS)
        || !out.resumes && !node.isPublished("scan", LaserScan.TYPE)) {
      String why = master.awayReason();
      if (why.isEmpty()) {
        why = withoutScan(node);
        if (!saidWhy) {
          LOG.info("{} yet", why);
          saidWhy = true;
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
      if (interruption.requested()) {
        summary.accept("no robot was there: " + why);
        return false;
      }
    }
    return true;
  }

  private static String withoutScan(RosNode node) {
    Set<String> types = node.publishedTypes("scan");
    return types.isEmpty()
        ? "nobody publishes " + node.resolve("scan")
        : "%s is published as %s, and not as %s"
            .formatted(node.resolve("scan"), String.join(", ", types), LaserScan.TYPE.ros2Name());
  }

  /**
   * Returns the observers, with a check of the initial pose added if the run continues an earlier
   * map at a stated pose.
   */
  private RunObserver watched(List<RunObserver> observers, RootSettings settings) {
    List<RunObserver> all = new ArrayList<>(observers);
    if (!out.resumes) {
      start
          .earlier
          .flatMap(earlier -> earlier.start(settings))
          .ifPresent(check -> all.add(new LiveInitialPoseCheck(check)));
    }
    return RunObservers.of(all);
  }

  /**
   * Warns of keys that only the service reads. Keys of the configuration file are not checked:
   * gateway and service may share that file.
   */
  private void warnOfServiceKeys(Set<String> keysOfParameters) {
    Set<String> keys = new TreeSet<>(keysOfParameters);
    keys.addAll(assigned);
    List<String> ofService = serviceKeys(keys);
    if (!ofService.isEmpty()) {
      LOG.warn(
          "{}: without effect here, for the service runs elsewhere and has its own", ofService);
    }
  }

  /** Returns the keys that have no effect on a gateway whose service runs in another process. */
  static List<String> serviceKeys(Set<String> keys) {
    return keys.stream()
        .filter(key -> key.startsWith("slam.") || key.startsWith("topology."))
        .filter(key -> !key.startsWith(READING_FILTER))
        .toList();
  }

  /**
   * The joined graph of the robot, with the run's observers.
   *
   * @param master monitor of the graph's ROS master
   * @param meters meters of the run's gateway
   * @param unwritten receives why the run's end state could not be saved; empty if it was saved or
   *     is not wanted
   */
  private record Joined(
      RosNode node,
      MasterMonitor master,
      RunObserver observer,
      GatewayMeters meters,
      List<String> unwritten) {}

  private String withBroker(Joined joined, RootSettings settings) throws InterruptedException {
    BrokerSettings named = settings.broker();
    if (named.uri().isEmpty()) {
      try (EmbeddedBroker embedded = EmbeddedBroker.start()) {
        return withService(joined, settings, embedded.reachedBy(named));
      }
    }
    if (!serviceHere) {
      ZooKeeperAccess none = ZooKeeperAccess.plain("");
      return registered(settings, named, none, fenced -> drive(joined, settings, named, fenced));
    }
    // Other gateways may use the same broker with services of their own.
    BrokerSettings own = named.withService("gateway-" + robot);
    try (BrokerConnection connection =
        BrokerConnection.open(own, "command line", BrokerListener.NONE)) {
      String summary = withService(joined, settings, own);
      connection.deleteReadingsQueue();
      return summary;
    }
  }

  /**
   * Starts the service and drives the run. If the settings name a ZooKeeper, other gateways could
   * claim the robot there, so it is claimed before the service starts; else the service's own
   * ZooKeeper must start first.
   */
  private String withService(Joined joined, RootSettings settings, BrokerSettings broker)
      throws InterruptedException {
    if (!settings.registry().zookeeper().isEmpty()) {
      return registered(
          settings,
          broker,
          settings.registry().access(),
          fenced -> {
            try (LocalService storm = service(settings, broker)) {
              return drive(joined, settings, broker, fenced);
            }
          });
    }
    try (LocalService storm = service(settings, broker)) {
      return registered(
          settings, broker, storm.zookeeper(), fenced -> drive(joined, settings, broker, fenced));
    }
  }

  private LocalService service(RootSettings settings, BrokerSettings broker) {
    LOG.info("the service starts");
    return LocalService.start(durable(settings).service(broker));
  }

  /**
   * Work of a run once the robot's id is claimed. The future is completed with the process that
   * takes the id away.
   */
  private interface Drive {
    String until(CompletableFuture<String> fenced) throws InterruptedException;
  }

  private String registered(
      RootSettings settings, BrokerSettings broker, ZooKeeperAccess ofService, Drive drive)
      throws InterruptedException {
    ZooKeeperAccess access = settings.registry().access(ofService);
    if (access.servers().isEmpty()) {
      if (out.forces) {
        throw ExitException.wrongUsage(
            "--force: the other gateway learns of it by ZooKeeper, and registry.zookeeper names none");
      }
      return drive.until(new CompletableFuture<>());
    }
    try (Registry registry = Registry.open(access, settings.registry())) {
      RegistryEntry entry = RegistryEntry.ofThisProcess(robot, graph.type);
      if (out.resumes) {
        registry.claim(Registry.Kind.ROBOTS, entry, out.forces, LOG::info);
        if (out.forces) {
          awaitRelease(broker);
        }
      } else {
        registry.register(Registry.Kind.ROBOTS, entry);
      }
      String summary = drive.until(registry.fenced());
      if (registry.isFenced()) { // Files and queues belong to the other gateway then.
        throw ExitException.failed(
            "the gateway at %s has taken the robot %s away; this one has ended"
                .formatted(registry.fenced().join(), robot));
      }
      return summary;
    }
  }

  /**
   * Deletes result files of an older run, which would be taken for this one's.
   *
   * @param begun time of this run's beginning; some files are deleted only if they are older
   */
  private void deleteStale(Instant begun) {
    Set<String> names =
        new HashSet<>(Set.of(RunState.FILE, RunReport.FILE, LocalisedTrajectory.QUALITY));
    try {
      for (String name : List.of(MapPicture.FILE, RunRecorder.FILE)) {
        Path file = out.path.resolve(name);
        boolean isThere = !out.resumes && Files.exists(file);
        if (isThere && Files.getLastModifiedTime(file).toInstant().isBefore(begun)) {
          names.add(name);
        }
      }
      new StaleFiles(out.path, names).delete();
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /**
   * Saves the run's end state if the service runs in this process; a service elsewhere keeps its
   * own state.
   */
  private void keepState(Joined joined, RootSettings settings, long lastReading) {
    boolean isOn = new CheckpointPace(settings.checkpoint()).isOn();
    if (isServiceHere(settings) && start.place.isEmpty() && isOn) {
      String checkpoints = durable(settings).checkpoint().folder();
      RunCheckpoints.keepState(
              checkpoints,
              robot,
              RunCheckpoints.OF_A_SERVICE,
              out.path,
              lastReading,
              Optional.empty())
          .ifPresent(joined.unwritten::add);
    }
  }

  private boolean isServiceHere(RootSettings settings) {
    return serviceHere || settings.broker().uri().isEmpty();
  }

  private RootSettings durable(RootSettings settings) {
    return settings.withCheckpointsIn(out.path.resolve(RunCheckpoints.FOLDER));
  }

  /**
   * Returns the settings that must not change when the run is resumed: the filter's if the service
   * runs in this process, else those of the reading filter.
   */
  private Map<String, String> identity(RootSettings settings, String service) {
    Map<String, String> identity =
        new TreeMap<>(
            Settings.values(
                isServiceHere(settings) ? settings.slam() : settings.slam().readingFilter()));
    identity.put("robot", robot);
    identity.put("service", service);
    start.place.ifPresent(known -> identity.putAll(known.identity(settings.localisation())));
    if (start.isLookedFor) {
      identity.put("--at", "anywhere"); // Else a run without a map yet would resume without one.
    }
    return identity;
  }

  private Optional<LocalisationAttachment> localisation(RootSettings settings) {
    try {
      if (start.place.isEmpty()) {
        return Optional.empty();
      }
      start.place.get().notes(settings.localisation()).forEach(LOG::warn);
      return Optional.of(start.place.get().localisation(settings.localisation()));
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /**
   * Stores the earlier run's state where this process's service looks for it; returns the numbers
   * at which the new run begins.
   */
  private RunBeginning beginning(RootSettings settings) {
    if (start.earlier.isEmpty() || out.resumes) {
      return RunBeginning.anew();
    }
    PriorMap earlier = start.earlier.get();
    LOG.info("the run goes on from {}", earlier.origin());
    try {
      earlier.notes().forEach(LOG::warn);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
    if (start.isLookedFor) {
      KnownPlace.fewParticles(settings.localisation()).ifPresent(LOG::warn);
    }
    RunBeginning beginning = RunBeginning.behind(earlier.reading());
    resume(settings, earlier, beginning.run(), !start.isLookedFor);
    return beginning;
  }

  /**
   * @param isPlaced false if the robot must be found first: then the map is only checked, so that a
   *     misfit shows before the robot has driven
   */
  private void resume(RootSettings settings, PriorMap earlier, long run, boolean isPlaced) {
    try {
      RootSettings stored = durable(settings);
      ServiceSettings service = stored.service(stored.broker());
      if (isPlaced) {
        CheckpointStore store = CheckpointStore.at(stored.checkpoint().folder());
        earlier.resumeAs(store, robot, run, service);
      } else {
        earlier.checkIdentity(service);
      }
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /** Returns the search for a robot that may be anywhere in the map. */
  private Optional<LiveGlobalLocalisation> search(
      RootSettings settings, Consumer<PriorMap> isPlaced) {
    LiveGlobalLocalisation.Service service =
        (placed, run) -> {
          resume(settings, placed, run, true);
          isPlaced.accept(placed);
        };
    return start
        .earlier
        .filter(map -> start.isLookedFor)
        .map(map -> new LiveGlobalLocalisation(map, settings, service));
  }

  /**
   * Returns the search for the robot if it is carried on the way; empty if none is wanted.
   *
   * @param earlier returns the earlier map with the robot's place at the beginning; null if none
   */
  private Optional<Supplier<CarriedRobotSearch>> carriedRobotSearch(
      RootSettings settings, Supplier<PriorMap> earlier) {
    if (start.place.isPresent() || !settings.gateway().searchCarried()) {
      return Optional.empty();
    }
    Consumer<String> notices = notice -> LOG.warn("robot {}: {}", robot, notice);
    return Optional.of(
        () -> {
          if (earlier.get() == null || out.resumes) {
            RayTracedMap none = new RayTracedMap(settings.slam().cellMetres());
            return new CarriedRobotSearch(
                settings.slam(), settings.localisation(), none, true, notices);
          }
          try {
            return earlier.get().search(Optional.empty(), settings, true, notices);
          } catch (IOException e) {
            throw ExitException.of(e);
          }
        });
  }

  private static boolean isLooking(Optional<LiveGlobalLocalisation> search) {
    return search.filter(LiveGlobalLocalisation::isLooking).isPresent();
  }

  private static String failure(Optional<LiveGlobalLocalisation> search) {
    return isLooking(search) ? "no run has begun" : "the run did not end in order";
  }

  /** Waits until the gateway that lost the robot has stopped reading the robot's answers. */
  private void awaitRelease(BrokerSettings broker) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(RELEASE_SECONDS);
    boolean released = false;
    while (!released) {
      try (BrokerConnection trial =
          BrokerConnection.open(broker, "gateway of " + robot, BrokerListener.NONE)) {
        trial.subscribeToAnswers(robot, 1, Receiver.NOBODY);
        released = true;
      } catch (BrokerException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        LOG.info("waits for the other gateway's end: {}", e.getMessage());
        TimeUnit.SECONDS.sleep(1);
      }
    }
  }

  private LiveListener listener(Joined joined, Optional<LocalisationAttachment> localisation) {
    return joined.observer == RunObserver.NONE
        ? joined.meters
        : LiveListener.both(
            joined.meters, new ObservedGateway(robot, joined.observer, localisation));
  }

  private String drive(
      Joined joined, RootSettings settings, BrokerSettings broker, CompletableFuture<String> fenced)
      throws InterruptedException {
    RunBeginning beginning = beginning(settings);
    Optional<LocalisationAttachment> localisation = localisation(settings);
    AtomicReference<PriorMap> placed = new AtomicReference<>(start.earlier.orElse(null));
    Optional<LiveGlobalLocalisation> search = search(settings, placed::set);
    Instant begun = Instant.now();
    try (RosGateway gateway =
        RosGateway.open(
            joined.node,
            joined.master,
            new LiveGateway.Robot(
                robot,
                settings.gateway(),
                settings.slam().readingFilter(),
                out.path,
                identity(settings, broker.service()),
                out.resumes,
                Optional.of(listener(joined, localisation)),
                localisation,
                beginning,
                search.<RunStartSearch>map(each -> each),
                carriedRobotSearch(settings, placed::get)),
            settings.ros(),
            outages -> BrokerConnection.open(broker, "gateway of " + robot, outages),
            new RosGateway.Timing(
                PauseTolerantClock.tickingAsItIsRead(System::nanoTime),
                RosGateway.Timing.SYSTEM.diagnosisMillis()))) {
      joined.meters.connected(gateway::waiting, gateway::lastScanNanos);
      AtomicBoolean stopped = new AtomicBoolean();
      Runnable stop =
          () -> {
            if (!stopped.getAndSet(true)) { // A second stop would cut short the end in progress.
              gateway.stop();
            }
          };
      joined.master.whenEnded(stop);
      interruption.whenRequestedAgain("gives up, and writes the newest map", gateway::stop);
      interruption.whenRequested(stop);
      fenced.thenRun(gateway::abandon);
      boolean inOrder = false;
      try {
        inOrder = gateway.run();
      } finally {
        joined.observer.end(inOrder ? "" : failure(search));
        if (!fenced.isDone() && !isLooking(search)) {
          deleteStale(begun);
        }
      }
      if (fenced.isDone()) {
        return gateway.summary();
      }
      if (inOrder) {
        keepState(joined, settings, gateway.lastReading());
      }
      return gateway.summary();
    } finally {
      interruption.endWhenRequestedAgain();
    }
  }
}
