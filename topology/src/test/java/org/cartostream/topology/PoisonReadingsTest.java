package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs with readings that end a worker whenever one of its tasks comes to them. Which readings, at
 * which message, and which tasks are in that worker, a seed has. Each such reading is refused, and
 * each robot is told, to the last bit, what it would have been had it not been sent.
 *
 * <p>The suite has a few seeds, each in four layouts. {@code -Dcartostream.schedules=1000
 * -Dcartostream.seed=20000} has a thousand, from that one on.
 */
@Quick
class PoisonReadingsTest extends RecoverySchedules {

  private static final int SCHEDULES = Integer.getInteger("cartostream.schedules", 3);
  private static final int FIRST_SEED = Integer.getInteger("cartostream.seed", 1);

  /** So often a worker ends at a reading that was noted; then it is refused. */
  private static final int MAX_DEATHS = 2;

  private static final byte[] NOTHING = {'{', '}'};
  private static final String MATCHERS = Component.nameOf(Component.Matchers.class);

  /** One for each robot that has one. */
  private final Map<String, Long> fatal = new HashMap<>();

  /** The robots at whose reading a worker has ended. */
  private final Set<String> ended = new HashSet<>();

  private boolean isCut;

  /** How often, after it was noted. */
  private final Map<String, Integer> notedDeaths = new HashMap<>();

  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 4", "bsp, 2", "bsp, 4"})
  void eachIsRefusedAndTheAnswerIsThatWithoutIt(String mode, int tasks) {
    assertUndisturbed(mode, tasks, FIRST_SEED, SCHEDULES);
  }

  @Override
  Network open(long seed, ServiceSettings settings, Map<String, Integer> robots) {
    Random random = new Random(-seed);
    fatal.clear();
    ended.clear();
    notedDeaths.clear();
    isCut = false;
    robots.forEach(
        (robot, readings) -> {
          if (robot.equals("r1") || random.nextBoolean()) {
            fatal.put(robot, 1L + random.nextInt(readings));
          }
        });
    List<Stream<?, ?, ?>> streams =
        new ArrayList<>(
            List.of(
                Streams.ADMITTED,
                Streams.KEY_FRAMES,
                Streams.RESAMPLING_RESULTS,
                Streams.READY,
                Streams.SERVED));
    if (settings.topology().mode() == ResamplingMode.DATAFLOW) {
      streams.addAll(List.of(Streams.WEIGHTS, Streams.RESAMPLING_DECISIONS));
    }
    String where = streams.get(random.nextInt(streams.size())).name();
    int matcher = random.nextInt(settings.topology().tasks());
    MemoryStore store = new MemoryStore();
    Network network = network(seed, settings, store);
    List<Links.Address> worker = worker(network, random);
    network.fault =
        (task, stream, payload) -> {
          boolean isOthers = task.party().equals(MATCHERS) && task.task() != matcher;
          if (isOthers || !stream.equals(where) || !isFatal(payload)) {
            return false;
          }
          end(network, store, payload);
          end(network, worker, task);
          return true;
        };
    return network;
  }

  private boolean isFatal(Payload payload) {
    long number = fatal.getOrDefault(payload.run().robot(), -1L);
    return payload.processed() == number;
  }

  private void end(Network network, MemoryStore store, Payload at) {
    String robot = at.run().robot();
    ended.add(robot);
    if (noted(store, network.run(robot)) == at.processed()) {
      notedDeaths.merge(robot, 1, Integer::sum);
    }
  }

  /** The reading that is noted in the store as the one that is being processed; 0 for none. */
  static long noted(MemoryStore store, Run run) {
    try {
      byte[] note = store.readBeside(TaskCheckpoints.name(run), "attempts.json").orElse(NOTHING);
      JsonNode json = new ObjectMapper().readTree(note);
      return json.path("trying").asLong();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Nothing but these readings ends a worker; messages may be lost all the same. Once, for a run is
   * given up that is restored six times at one place, and four deaths are four of these.
   */
  @Override
  void hurt(Network network, Random random) {
    if (!isCut) {
      network.cutLink();
      isCut = true;
    }
  }

  @Override
  void assertAnswered(ServiceSettings settings, String robot, List<Reading> readings) {
    Set<Long> without = ended.contains(robot) ? Set.of(fatal.get(robot)) : Set.of();
    FinishedMessage report = of(robot).report();
    assertThat(report.failure()).isEmpty();
    assertThat(report.processed() + report.refused()).isEqualTo(readings.size());
    assertThat(notedDeaths.getOrDefault(robot, 0)).isLessThanOrEqualTo(MAX_DEATHS);
    Answers.Result result = of(robot).result();
    Answers.Result other = Answers.serialWithout(without, settings.filter(), robot, readings);
    assertThat(result.path()).isEqualTo(other.path());
    assertThat(result.map()).isEqualTo(other.map());
    assertThat(result.outcomes()).hasSize(readings.size());
    result
        .outcomes()
        .forEach(
            (number, outcome) -> {
              if (without.contains(number)) {
                assertThat(outcome).startsWith("Refused[refusal=FAILS,");
              } else {
                assertThat(outcome).isEqualTo(other.outcomes().get(number));
              }
            });
  }
}
