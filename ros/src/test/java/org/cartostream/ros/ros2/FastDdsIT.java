package org.cartostream.ros.ros2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.cartostream.ros.local.LocalFastDds;
import org.cartostream.ros.local.PrintedLines;
import org.cartostream.ros.local.Ros2Counter;
import org.cartostream.ros.local.TwoHosts;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our node on one host, and on another a peer by Debian's Fast DDS, in its default configuration,
 * that is built here.
 */
@Default
@Timeout(900)
class FastDdsIT {

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int DOMAIN = 4;
  private static final int SIDE = 1800;

  @TempDir private Path folder;

  private TwoHosts hosts;
  private LocalFastDds fastDds;
  private Process counter;

  @BeforeEach
  void start() throws Exception {
    LocalFastDds.missing().or(TwoHosts::missing).ifPresent(why -> Assumptions.abort(why));
    hosts = TwoHosts.up();
    fastDds = new LocalFastDds(folder, DOMAIN, hosts.onSecond());
    counter = Ros2Counter.start(folder.resolve("counter"), DOMAIN, hosts);
  }

  @AfterEach
  void stop() throws Exception {
    if (counter != null) {
      counter.destroyForcibly().waitFor();
    }
    if (fastDds != null) {
      fastDds.close();
    }
    if (hosts != null) {
      hosts.close();
    }
  }

  private List<String> counterSaid() {
    return PrintedLines.of(folder.resolve("counter"));
  }

  private static String mapLine() {
    byte[] cells = new byte[SIDE * SIDE];
    new Random(1).nextBytes(cells);
    long sum = 0;
    for (byte cell : cells) {
      sum = sum * 31 + (cell & 0xff);
    }
    return "map " + SIDE + " " + SIDE + " " + (sum & 0xffff_ffffL);
  }

  private void awaitAllThatARobotNeeds() {
    await().atMost(SOON).until(() -> counterSaid().contains("scan 720 Infinity"));
    await().atMost(SOON).until(() -> counterSaid().contains("tf base_link"));
    await().atMost(SOON).until(() -> fastDds.said("peer").contains(mapLine()));
    await().atMost(SOON).until(() -> fastDds.said("peer").contains("reply " + SIDE + " mine"));
    await().atMost(SOON).until(() -> heardThere().size() > 100 && heardHere().size() > 100);
    assertComplete(heardThere());
    assertComplete(heardHere());
    assertThat(fastDds.said("peer")).noneMatch(line -> line.contains("other's"));
  }

  private List<Integer> heardThere() {
    return PrintedLines.numbers(fastDds.said("peer"), "number");
  }

  private List<Integer> heardHere() {
    return PrintedLines.numbers(counterSaid(), "count");
  }

  private static void assertComplete(List<Integer> numbers) {
    int first = numbers.get(0);
    assertThat(numbers).isEqualTo(IntStream.range(first, first + numbers.size()).boxed().toList());
  }

  @Test
  void allThatARobotNeedsCrossesBothWaysAlsoToOneThatComesLate() throws Exception {
    Process peer = fastDds.start("peer");
    awaitAllThatARobotNeeds();
    peer.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    fastDds.start("late");
    await().atMost(SOON).until(() -> fastDds.said("late").contains(mapLine()));
  }

  @Nightly
  @Test
  void allCrossesALinkThatLosesPackets() throws Exception {
    hosts.lose(5);
    fastDds.start("peer");
    awaitAllThatARobotNeeds();
  }
}
