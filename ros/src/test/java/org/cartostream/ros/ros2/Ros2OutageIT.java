package org.cartostream.ros.ros2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.cartostream.ros.local.LocalCyclone;
import org.cartostream.ros.local.PrintedLines;
import org.cartostream.ros.local.Ros2Counter;
import org.cartostream.ros.local.TwoHosts;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our node on one host and Cyclone DDS on another, which find each other by multicast, with a bad
 * link between them.
 */
@Nightly
@Timeout(600)
class Ros2OutageIT {

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int DOMAIN = 3;
  private static final String INTERFACE = "name=\"link0\"";

  @TempDir private Path folder;

  private final List<Process> processes = new ArrayList<>();
  private TwoHosts hosts;
  private LocalCyclone cyclone;
  private Path said;

  @BeforeEach
  void start() throws Exception {
    LocalCyclone.missing().or(TwoHosts::missing).ifPresent(why -> Assumptions.abort(why));
    hosts = TwoHosts.up();
    cyclone = new LocalCyclone(folder, DOMAIN, hosts.onSecond());
    said = folder.resolve("counter.out");
  }

  private void startCounter() throws IOException {
    processes.add(Ros2Counter.start(said, DOMAIN, hosts));
  }

  private Process startOnFirst(Path output, String... command) throws IOException {
    List<String> words = new ArrayList<>(List.of(hosts.onFirst()));
    words.addAll(List.of(command));
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    processes.add(process);
    return process;
  }

  @AfterEach
  void stop() throws Exception {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    if (hosts != null) {
      cyclone.close();
      hosts.close();
    }
  }

  private List<String> counterSaid() {
    return PrintedLines.of(said);
  }

  private List<Integer> heardThere() {
    return PrintedLines.numbers(cyclone.said("count", "numbers"), "number");
  }

  private List<Integer> heardHere() {
    return PrintedLines.numbers(counterSaid(), "count");
  }

  private static void assertComplete(List<Integer> numbers) {
    int first = numbers.get(0);
    assertThat(numbers).isEqualTo(IntStream.range(first, first + numbers.size()).boxed().toList());
  }

  @Test
  void nothingIsMissingWhenPacketsAreLostAndTheLinkIsCutFor4Seconds() throws Exception {
    hosts.lose(5);
    startCounter();
    cyclone.startAt(INTERFACE, "count", "numbers");
    await().atMost(SOON).until(() -> heardThere().size() > 20 && heardHere().size() > 40);
    hosts.lose(100);
    int before = heardThere().size();
    TimeUnit.SECONDS.sleep(4);
    // What was on its way already may be printed late.
    assertThat(heardThere().size()).as("of some 40 numbers").isLessThan(before + 20);
    hosts.lose(5);
    await().atMost(SOON).until(() -> heardHere().contains(399));
    int last = heardThere().size() + 20;
    await().atMost(SOON).until(() -> heardThere().size() > last);
    assertComplete(heardThere());
    assertComplete(heardHere());
    assertThat(heardHere()).as("since the publisher knew its subscriber").hasSize(400);
    assertThat(counterSaid().stream().filter("away"::equals)).hasSize(1);
  }

  @Test
  void whoIsCutOffFor30SecondsIsLetGoAndFoundWithin5SecondsAndHasTheMapAgain() throws Exception {
    startCounter();
    cyclone.startAt(INTERFACE, "map");
    await().atMost(SOON).until(() -> cyclone.said("map").size() == 1);
    hosts.lose(100);
    long cutAt = System.nanoTime();
    await().atMost(SOON).until(() -> counterSaid().stream().filter("away"::equals).count() == 2);
    TimeUnit.NANOSECONDS.sleep(cutAt + TimeUnit.SECONDS.toNanos(30) - System.nanoTime());
    assertThat(counterSaid().stream().filter("back"::equals)).hasSize(1);
    hosts.lose(0);
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> counterSaid().stream().filter("back"::equals).count() == 2);
    await().atMost(SOON).until(() -> cyclone.said("map").size() == 2);
    assertThat(cyclone.said("map").get(1)).isEqualTo(cyclone.said("map").get(0));
  }

  /** Wireshark's dissector is not ours. */
  @Test
  void noPacketIsMalformed() throws Exception {
    Path tshark = Path.of("/usr/bin/tshark");
    Assumptions.assumeTrue(Files.exists(tshark), "there is no tshark: apt install tshark");
    Path packets = folder.resolve("packets.pcap");
    Process capture =
        startOnFirst(
            folder.resolve("tshark.out"),
            tshark.toString(),
            "-Q",
            "-i",
            "link0",
            "-w",
            packets.toString());
    await().atMost(SOON).until(() -> Files.exists(packets) && Files.size(packets) > 0);
    hosts.lose(5);
    startCounter();
    cyclone.startAt(INTERFACE, "count", "numbers", "map");
    await().atMost(SOON).until(() -> heardHere().size() > 200);
    capture.destroy();
    capture.waitFor();
    assertThat(dissected(tshark, packets, "rtps && ip.src == " + TwoHosts.FIRST_ADDRESS).size())
        .isGreaterThan(2000);
    assertThat(dissected(tshark, packets, "!rtps && udp")).isEmpty();
    assertThat(dissected(tshark, packets, "_ws.malformed || _ws.expert.severity == \"Error\""))
        .isEmpty();
  }

  private List<String> dissected(Path tshark, Path packets, String filter) throws Exception {
    Process process =
        new ProcessBuilder(tshark.toString(), "-r", packets.toString(), "-Y", filter)
            .redirectError(folder.resolve("dissector.err").toFile())
            .start();
    String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return lines.lines().toList();
  }
}
