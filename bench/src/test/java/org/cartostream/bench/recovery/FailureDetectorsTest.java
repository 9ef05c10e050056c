package org.cartostream.bench.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.cartostream.bench.recovery.FailureDetectors.Ticks;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Phi accrual against the best fixed limit, at equally many false alarms, for ticks of one second:
 * with simulated delays, and with measured ones ({@code -Dcartostream.ticks=FILE}, lines {@code
 * sender,nanoseconds}). Prints the rows of {@code failure-detection.csv}.
 */
@Quick
class FailureDetectorsTest {

  private static final int SENDERS = 20;
  private static final int TICKS = 10_000;
  private static final List<Integer> WINDOWS = List.of(100, 1000);
  private static final List<Integer> FALSE_ALARMS = List.of(0, 1, 10, 100);
  private static final long SEED = 34;

  /** Seconds by which a tick comes late. */
  private interface Delay {
    double next(Random random, int sender, int tick);
  }

  /** On a link or machine that is always the same. */
  private static final Delay NORMAL =
      (random, sender, tick) -> Math.max(0, 0.05 + 0.01 * random.nextGaussian());

  /** The same with a long tail, as schedulers and collectors make it. */
  private static final Delay LONG_TAIL =
      (random, sender, tick) -> 0.005 * Math.pow(1 - random.nextDouble(), -1 / 1.8);

  /** Calm, and for a minute in each five as if the machine were overloaded. */
  private static final Delay IN_TURNS =
      (random, sender, tick) ->
          Math.max(0, 0.05 + (tick % 300 < 240 ? 0.005 : 0.3) * random.nextGaussian());

  /** Each always the same; every other one is on a bad link. */
  private static final Delay UNLIKE =
      (random, sender, tick) ->
          Math.max(0, 0.05 + (sender % 2 == 0 ? 0.005 : 0.2) * random.nextGaussian());

  /** Calm; ten times an hour the sender is stopped for two seconds. */
  private static final Delay STOPS =
      (random, sender, tick) ->
          Math.max(0, 0.05 + 0.01 * random.nextGaussian()) + (random.nextInt(360) == 0 ? 2 : 0);

  private static double[][] simulated(Delay delay) {
    Random random = new Random(SEED);
    double[][] intervals = new double[SENDERS][TICKS];
    for (int sender = 0; sender < SENDERS; sender++) {
      double[] ofOne = intervals[sender];
      double before = 0;
      for (int tick = 0; tick < TICKS; tick++) {
        // In their order, as by one connection.
        double arrival = Math.max(before, tick + 1 + delay.next(random, sender, tick));
        ofOne[tick] = arrival - before;
        before = arrival;
      }
    }
    return intervals;
  }

  /** Rows of the file; by how much phi accrual is slower, seconds, for each. */
  private static Map<String, Double> compare(String name, double[][] senders) {
    Map<String, Double> slower = new LinkedHashMap<>();
    for (int window : WINDOWS) {
      Ticks ticks = Ticks.of(senders, window);
      for (int alarms : FALSE_ALARMS) {
        double fixed = ticks.fixedLimit(alarms);
        double phi = ticks.meanPhiLimit(alarms);
        System.out.printf(
            Locale.ROOT,
            "%s,%d,%d,%d,%.3f,%.3f,%.1f%n",
            name,
            ticks.size(),
            window,
            alarms,
            fixed,
            phi,
            ticks.deviations(alarms));
        slower.put(window + "/" + alarms, phi - fixed);
      }
    }
    return slower;
  }

  /** Both are then the same quantile of the same distribution. */
  @Test
  void withNormalIntervalsBothAreTheQuantileOfTheNormalDistribution() {
    Random random = new Random(SEED);
    System.out.println("seed " + SEED);
    double[][] intervals = new double[1][400_000];
    for (int i = 0; i < intervals[0].length; i++) {
      intervals[0][i] = 1 + 0.1 * random.nextGaussian();
    }
    Ticks ticks = Ticks.of(intervals, 1000);
    int alarms = ticks.size() / 1000;

    assertThat(ticks.fixedLimit(alarms)).isCloseTo(1 + 0.1 * 3.0902, within(0.01));
    assertThat(ticks.meanPhiLimit(alarms)).isCloseTo(1 + 0.1 * 3.0902, within(0.01));
    assertThat(ticks.deviations(alarms)).isCloseTo(3.0902, within(0.1));
  }

  /** What the window has seen tells nothing of the pause that comes. */
  @Test
  void phiAccrualIsSlowerWherePausesComeUnannounced() {
    assertThat(compare("long tail", simulated(LONG_TAIL)).get("1000/0")).isPositive();
    assertThat(compare("stops of 2 s", simulated(STOPS)).get("1000/0")).isPositive();
  }

  /** One limit for all has to be that of the worst link. */
  @Test
  void phiAccrualIsFasterWhereSendersAreUnlikeEachOther() {
    assertThat(compare("unlike senders", simulated(UNLIKE)).get("1000/0")).isNegative();
  }

  /** The window has to be longer than the turns, or the beginning of each is an alarm. */
  @Test
  void phiAccrualGainsLittleWhereDelaysComeInTurns() {
    compare("normal", simulated(NORMAL));
    Map<String, Double> slower = compare("in turns", simulated(IN_TURNS));
    assertThat(slower.get("1000/0")).isBetween(-0.3, 0.0);
    assertThat(slower.get("100/0")).isGreaterThan(1);
  }

  @Test
  @EnabledIfSystemProperty(named = "cartostream.ticks", matches = ".+")
  void onMeasuredTicks() throws IOException {
    Map<String, List<Double>> arrivals = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of(System.getProperty("cartostream.ticks")))) {
      String[] words = line.split(",");
      arrivals
          .computeIfAbsent(words[0], sender -> new ArrayList<>())
          .add(Long.parseLong(words[1]) / 1e9);
    }
    double[][] senders =
        arrivals.values().stream()
            .map(
                all -> {
                  double[] intervals = new double[all.size() - 1];
                  for (int i = 1; i < all.size(); i++) {
                    intervals[i - 1] = all.get(i) - all.get(i - 1);
                  }
                  return intervals;
                })
            .toArray(double[][]::new);

    assertThat(compare("measured", senders)).isNotEmpty();
  }
}
