package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.testing.Quick;
import org.cartostream.topology.bolt.RestorableBolt;
import org.cartostream.topology.match.ResamplingCoordinator;
import org.cartostream.topology.publish.RunStatistics;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * After random runs all tasks die. What each restores is what it had, field by field: there is no
 * list of what must be saved that could lack something, only one of what need not be the same.
 */
@Quick
class RestoredStateTest extends NetworkTest {

  /** Where a task's state ends and the task begins: which run, when, and to whom it speaks. */
  private static final Set<String> OF_THE_TASK =
      Set.of(
          "Run",
          "PendingAcks",
          "MemoryBudget",
          "Outputs",
          "PublisherCollaborators",
          "PauseTolerantClock",
          "EnvelopeSink",
          "IntSupplier",
          "KeyFrameTimer",
          "RateLimitedLog",
          "RobotMeters",
          "Direct",
          "Communicator",
          "PayloadSerializer",
          "DataflowMatcherBolt");

  /** With the reason for each. */
  private static final Map<String, String> MAY_DIFFER =
      Map.ofEntries(
          Map.entry("Tile.nearest", "derived from the cells when it is asked for"),
          Map.entry("Tile.packed", "likewise, while nobody asks"),
          Map.entry("Tile.lookedAt", "when that was"),
          Map.entry("TiledMap.time", "by this clock"),
          Map.entry("ScanTileCache.map", "a cache of the scan at hand"),
          Map.entry("ScanTileCache.table", "likewise"),
          Map.entry("ScanTileCache.bits", "likewise"),
          Map.entry("ScanTileCache.met", "likewise"),
          Map.entry("ScanTileCache.metCount", "likewise"),
          Map.entry("ScanTileCache.column", "likewise"),
          Map.entry("ScanTileCache.row", "likewise"),
          Map.entry("ScanTileCache.scratch", "likewise"),
          Map.entry("RotatedBeams.biasedX", "scratch"),
          Map.entry("RotatedBeams.biasedY", "scratch"),
          Map.entry("PartitionWorker.step", "the key frame that is done; its number is kept"),
          Map.entry("PartitionWorker.underway", "a message that the state does not wait for"),
          Map.entry("PartitionWorker.offload", "how threads are chosen, by what was counted last"),
          Map.entry("RunPublisher.maps", "interim maps depend on time: the first one is whole"),
          Map.entry("ParticleTrajectories.history", "likewise"),
          Map.entry("ResponseSender.durable", "said with the next reading that is admitted"),
          Map.entry("OnlineLoopClosure.task", "runs again"),
          Map.entry("ParticleTrajectories.begun", "the search that is pending is begun again"),
          Map.entry("ParticleTrajectories.searches", "where searches are run"),
          Map.entry("TrajectoryTree.map", "the interim map, drawn when there is time"),
          Map.entry("RunStatistics.taskUtilization", "times"),
          Map.entry("ParticleCloudPublisher.nextAt", "a time"),
          Map.entry("ParticleCloudPublisher.nanoTime", "a clock"),
          Map.entry(
              "ParticleCloudPublisher.nextReading",
              "particles are shown at once; no answer has them"),
          Map.entry("ParticleTrajectories.tasks", "of the latest key frame, which was shown"),
          Map.entry("LocalisedPath.tasks", "likewise"),
          Map.entry("PendingReadings.notedIsAnswered", "to whom the task says it"),
          Map.entry("RunStatistics.publishNanos", "a time"),
          Map.entry("RunStatistics.recovery", "one more"),
          Map.entry("ReadingLedger.mayBeAnswered", "true now"));

  private static boolean mayDiffer(Field field) {
    String name = field.getDeclaringClass().getSimpleName() + "." + field.getName();
    return OF_THE_TASK.contains(field.getType().getSimpleName()) || MAY_DIFFER.containsKey(name);
  }

  @ParameterizedTest
  @CsvSource({"dataflow, 1", "dataflow, 2", "dataflow, 3", "bsp, 1", "bsp, 2", "bsp, 3"})
  void isWhatEachTaskHadBefore(String mode, int tasks) {
    long seed = System.nanoTime();
    System.out.printf("RestoredStateTest %s, %d tasks: seed %d%n", mode, tasks, seed);
    Random random = new Random(seed);
    ServiceSettings settings =
        checkpointed(settings(tasks, "mode", mode, "balanceTolerance", "0"), 1);
    Network network = network(seed, settings);
    int length = 15 + random.nextInt(30);
    List<Reading> readings = Drive.readings(random.nextInt(4), length + 1);
    readings.set(5, Drive.blind(readings.get(5)));
    driveAtRandom(network, readings, length, random);
    Map<String, Object> before = states(network, settings);

    network.loseAll();
    while (network.startOne()) {
      network.deliver(random.nextInt(5));
    }
    send(network, readings, length, length); // Repeated, so that the dispatcher hears of the run.
    network.pass(2);
    Map<String, Object> after = states(network, settings);

    assertThat(after.keySet()).isEqualTo(before.keySet());
    Set<Class<?>> compared = new java.util.HashSet<>();
    before.forEach(
        (part, state) -> {
          StateDifferences differences = new StateDifferences(RestoredStateTest::mayDiffer);
          assertThat(differences.between(state, after.get(part)))
              .as("%s, seed %d", part, seed)
              .isEmpty();
          compared.addAll(differences.compared());
        });
    assertThat(compared)
        .contains(
            Partition.class,
            ResamplingCoordinator.class,
            TrajectoryTree.class,
            RunStatistics.class,
            ReadingFilter.class);
    driveToTheEnd(network, readings, length + 1);
    assertUndisturbed(settings, readings);
  }

  /** One reading more is a difference in each part: the comparison sees something. */
  @ParameterizedTest
  @CsvSource({"dataflow, 2", "bsp, 2"})
  void isAnotherAfterAnotherReading(String mode, int tasks) {
    ServiceSettings settings = checkpointed(settings(tasks, "mode", mode), 1);
    List<Reading> readings = Drive.readings(11, 9);
    Network one = network(1, settings);
    drive(one, readings, 1, 8);
    Network other = network(1, settings);
    answers.clear();
    drive(other, readings, 1, 9);
    Map<String, Object> states = states(other, settings);
    Map<String, Object> before = states(one, settings);
    before.remove("dispatcher's lagIsSaid");
    before.forEach(
        (part, state) ->
            assertThat(
                    new StateDifferences(RestoredStateTest::mayDiffer)
                        .between(state, states.get(part)))
                .as(part)
                .isNotEmpty());
  }

  /** Readings come again or are not for the filter; all is answered and durable at the end. */
  private void driveAtRandom(Network network, List<Reading> readings, int length, Random random) {
    for (int sequence = 1; sequence <= length; sequence++) {
      network.send(reading("r1", sequence, readings));
      if (random.nextInt(4) == 0) {
        network.send(reading("r1", 1 + random.nextInt(sequence), readings));
      }
      awaitAnswers(network, sequence - random.nextInt(2)); // Two are unanswered at most.
      if (random.nextInt(6) == 0) {
        network.tick();
      }
    }
    awaitAnswers(network, length);
    passUntil(network, () -> network.unacknowledged() == 0);
  }

  /** The states of the run of the robot r1, by the task that has them. */
  private static Map<String, Object> states(Network network, ServiceSettings settings) {
    Map<String, Object> states = new LinkedHashMap<>();
    for (int task = 0; task < settings.topology().tasks(); task++) {
      states.put("matcher " + task, state(network, Component.Matchers.class, task));
    }
    if (network.bolt(Component.Resampler.class, 0) != null) {
      states.put("resampler", state(network, Component.Resampler.class, 0));
    }
    states.put("publisher", state(network, Component.Publisher.class, 0));
    Object robots = field(field(network.bolt(Component.Dispatcher.class, 0), "runs"), "robots");
    Object scheduler = field(field(((Map<?, ?>) robots).get("r1"), "lifecycle"), "scheduler");
    for (String name : new TreeSet<>(Set.of("readingFilter", "ledger", "lagIsSaid"))) {
      states.put("dispatcher's " + name, field(scheduler, name));
    }
    return states;
  }

  private static Object state(Network network, Class<? extends Component> component, int task) {
    RestorableBolt<?, ?> bolt = (RestorableBolt<?, ?>) network.bolt(component, task);
    Object state = bolt.states().get(network.run("r1"));
    assertThat(state).as("%s %d", component.getSimpleName(), task).isNotNull();
    return state;
  }

  private static Object field(Object of, String name) {
    try {
      Field field = of.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(of);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
