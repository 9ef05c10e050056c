package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.cartostream.broker.message.Envelope;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Runs in which whatever may die dies, whenever, and whatever may be lost is lost on its way, as a
 * seed has it: each robot is told, to the last bit, what it would have been told had nothing
 * happened.
 */
abstract class RecoverySchedules extends NetworkTest {

  private static final int READINGS = 18;
  private static final int MAX_UNANSWERED = 2;
  private static final int MAX_KILLS = 4;
  private static final int MAX_SECONDS = 2000;
  private static final int ASKS_AGAIN_AFTER_SECONDS = 20;

  /** A robot's side of a run: what it has sent. */
  private final class Driven {
    private final String name;
    private final List<Reading> readings;
    private int said;
    private boolean ended;
    private int latestAnswered;
    private int silentSeconds;

    Driven(String name, List<Reading> readings) {
      this.name = name;
      this.readings = readings;
    }

    /** Sends what its answers allow. */
    void step(Network network) {
      while (said < readings.size() && said - of(name).answered() < MAX_UNANSWERED) {
        said++;
        network.send(sent(name, said, readings));
      }
      if (!ended && of(name).answered() == readings.size()) {
        ended = true;
        network.send(end(name, readings.size()));
      }
    }

    /**
     * A second has passed. Asks again, as a gateway does, for what it has not been told for long.
     */
    void second(Network network) {
      int answered = of(name).answered();
      silentSeconds = answered > latestAnswered || hasReport() ? 0 : silentSeconds + 1;
      latestAnswered = answered;
      if (silentSeconds < ASKS_AGAIN_AFTER_SECONDS) {
        return;
      }
      silentSeconds = 0;
      for (int sequence = 1; sequence <= said; sequence++) {
        if (of(name).outcome(sequence) == null) {
          network.send(sent(name, sequence, readings));
        }
      }
      if (ended) {
        network.send(end(name, readings.size()));
      }
    }

    boolean hasReport() {
      return of(name).report() != null;
    }

    @Override
    public String toString() {
      return name
          + " sent "
          + said
          + (ended ? " and the end, " : ", ")
          + of(name).answered()
          + " answered";
    }
  }

  /** The service. */
  ServiceSettings service(int tasks, String... topology) {
    return settings(tasks, topology);
  }

  /** The tasks of one worker: all, or some that are drawn by chance. */
  static List<Links.Address> worker(Network network, Random random) {
    List<Links.Address> worker = network.all();
    if (random.nextBoolean()) {
      worker.removeIf(task -> random.nextBoolean());
    }
    return worker;
  }

  /** It ends, with the task in which that happens. */
  static void end(Network network, List<Links.Address> worker, Links.Address at) {
    List<Links.Address> dead = new ArrayList<>(worker);
    dead.add(at);
    network.lose(dead);
  }

  /** How many robots there are. */
  int robots(Random random) {
    return random.nextInt(4) == 0 ? 3 : 1;
  }

  /** What a robot sends with a reading. */
  Envelope sent(String robot, long sequence, List<Reading> readings) {
    return reading(robot, sequence, readings);
  }

  /**
   * The service, with what will befall it.
   *
   * @param robots by name, how many readings each will send
   */
  Network open(long seed, ServiceSettings settings, Map<String, Integer> robots) {
    return network(seed, settings);
  }

  /** Something befalls it now. */
  void hurt(Network network, Random random) {
    switch (random.nextInt(8)) {
      case 0, 1 -> network.cutLink();
      case 2 -> network.loseAll();
      default -> network.killSome();
    }
  }

  /** The robot was told, to the last bit, what it would have been had nothing happened. */
  void assertAnswered(ServiceSettings settings, String robot, List<Reading> readings) {
    assertUndisturbed(settings, robot, readings);
  }

  /** As so many seeds have it, from one on. */
  final void assertUndisturbed(String mode, int tasks, int firstSeed, int schedules) {
    for (long seed = firstSeed; seed < firstSeed + schedules; seed++) {
      answers.clear();
      try {
        // As many particles for each task; or for each what it can do in the time of the others.
        String balance = seed % 2 == 0 ? "0" : "1000000";
        run(seed, checkpointed(service(tasks, "mode", mode, "balanceTolerance", balance), 2));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed %d (%s, %d tasks)".formatted(seed, mode, tasks), e);
      }
    }
  }

  private void run(long seed, ServiceSettings settings) {
    Random random = new Random(seed);
    List<Driven> robots = new ArrayList<>();
    Map<String, Integer> sizes = new TreeMap<>();
    int count = robots(random);
    for (int robot = 1; robot <= count; robot++) {
      robots.add(new Driven("r" + robot, Drive.readings(10 + robot, READINGS / count)));
      sizes.put("r" + robot, READINGS / count);
    }
    try (Network network = open(seed, settings, sizes)) {
      int kills = 1 + random.nextInt(MAX_KILLS);
      int seconds = 0;
      while (!robots.stream().allMatch(Driven::hasReport)) {
        assertThat(seconds).as(() -> "seconds, " + robots).isLessThan(MAX_SECONDS);
        robots.forEach(robot -> robot.step(network));
        network.deliver(random.nextInt(60));
        if (kills > 0 && random.nextInt(12) == 0) {
          kills--;
          hurt(network, random);
        }
        if (random.nextInt(6) == 0) {
          network.startOne();
        }
        if (random.nextInt(3) == 0) {
          network.tick();
          robots.forEach(robot -> robot.second(network));
          seconds++;
        }
      }
    }
    robots.forEach(robot -> assertAnswered(settings, robot.name, robot.readings));
    nobodyWasToldOneThingAndThenAnother();
    closeNetworks(); // Thousands would not fit into the memory.
  }
}
