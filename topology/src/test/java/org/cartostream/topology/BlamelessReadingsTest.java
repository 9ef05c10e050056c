package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Streams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs in which a worker ends at one reading until that is noted. Then it would end if another
 * robot's map were drawn, or checkpoint encoded, while a reading is noted. None is, so no reading
 * is blamed for it and refused. A seed draws the reading, and which tasks are in that worker.
 *
 * <p>More seeds at night, and as many as one likes as with {@link PoisonReadingsTest}.
 */
@Quick
class BlamelessReadingsTest extends RecoverySchedules {

  private static final int SCHEDULES = Integer.getInteger("cartostream.schedules", 5);
  private static final int FIRST_SEED = Integer.getInteger("cartostream.seed", 1);

  /** So often a reading is blamed that is refused. */
  private static final int MAX_DEATHS = 2;

  /** A reading that is noted. */
  private record Noted(String robot, long number) {}

  /** True from when r1's reading is noted on. */
  private boolean isSearched;

  /** The one that was noted when something else ended the worker; null before that. */
  private Noted blamed;

  private int deaths;

  /** Robots whose runs have ended: their last maps are drawn, which nobody holds. */
  private final Set<String> over = new HashSet<>();

  /** In which a reading might have been blamed. */
  private final Set<Long> blamedSeeds = new TreeSet<>();

  private int searches;
  private int works;

  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 4", "bsp, 2", "bsp, 4"})
  void areNotRefusedForWhatOtherRobotsMapsAndCheckpointsTake(String mode, int tasks) {
    // Where a map is drawn while a reading is noted, these two tell.
    assertNoneIsRefused(mode, tasks, List.of(3, 5));
  }

  @Nightly
  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 4", "bsp, 2", "bsp, 4"})
  void areNotRefusedHoweverItIsDrawn(String mode, int tasks) {
    assertNoneIsRefused(
        mode, tasks, IntStream.range(FIRST_SEED, FIRST_SEED + SCHEDULES).boxed().toList());
  }

  private void assertNoneIsRefused(String mode, int tasks, List<Integer> seeds) {
    seeds.forEach(seed -> assertUndisturbed(mode, tasks, seed, 1));
    System.out.printf(
        "%d of %d schedules with notes, and %d works of other threads after them%n",
        searches, seeds.size(), works);
    assertThat(blamedSeeds).isEmpty();
    assertThat(searches).isPositive();
    assertThat(works).isPositive();
  }

  @Override
  int robots(Random random) {
    return 3;
  }

  @Override
  Network open(long seed, ServiceSettings settings, Map<String, Integer> robots) {
    Random random = new Random(-seed);
    long reading = 1L + random.nextInt(robots.get("r1"));
    isSearched = false;
    blamed = null;
    deaths = 0;
    over.clear();
    MemoryStore store = new MemoryStore();
    Network network = network(seed, settings, store);
    List<Links.Address> worker = worker(network, random);
    network.fault =
        (task, stream, payload) -> {
          if (stream.equals(Streams.ENDED.name())) {
            over.add(payload.run().robot());
          }
          boolean isReading =
              stream.equals(Streams.ADMITTED.name())
                  && payload.run().robot().equals("r1")
                  && payload.processed() == reading;
          if (!isReading || isSearched) {
            return false;
          }
          isSearched = PoisonReadingsTest.noted(store, network.run("r1")) == reading;
          searches += isSearched ? 1 : 0;
          if (!isSearched) {
            end(network, worker, task);
          }
          return !isSearched;
        };
    network.workFault =
        (task, whose) -> {
          works += isSearched ? 1 : 0;
          Noted noted = isSearched ? noted(network, store, robots) : null;
          boolean isBlamed = noted != null && (blamed == null || blamed.equals(noted));
          boolean isOthers = isBlamed && !whose.isEmpty() && !whose.contains(noted.robot());
          if (!isOthers || whose.stream().anyMatch(over::contains) || deaths == MAX_DEATHS) {
            return false;
          }
          blamed = noted;
          deaths++;
          blamedSeeds.add(seed);
          System.out.printf(
              "seed %d: a thread of %s ends at %s, for %s%n", seed, task, noted, whose);
          end(network, worker, task);
          return true;
        };
    return network;
  }

  /** Null if no reading is noted. */
  private static Noted noted(Network network, MemoryStore store, Map<String, Integer> robots) {
    for (String robot : robots.keySet()) {
      Run run = network.run(robot);
      long number = run == null ? 0 : PoisonReadingsTest.noted(store, run);
      if (number > 0) {
        return new Noted(robot, number);
      }
    }
    return null;
  }

  /** Nothing but that. */
  @Override
  void hurt(Network network, Random random) {}
}
