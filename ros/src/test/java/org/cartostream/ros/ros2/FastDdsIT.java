package org.cartostream.ros.ros2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.cartostream.ros.local.Ros2Counter;
import org.cartostream.ros.local.TwoHosts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our node on one host, and on another a peer by Debian's Fast DDS, in its default configuration,
 * that is built here.
 */
@Timeout(300)
// Its peer keeps no more than its history: on a machine that is full some of it is missed.
@EnabledIfSystemProperty(named = "cartostream.soak", matches = "true")
class FastDdsIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String DOMAIN = "4";

  @TempDir private Path folder;

  private final List<Process> processes = new ArrayList<>();
  private TwoHosts hosts;

  private Process start(String[] before, String output, String... command) throws IOException {
    List<String> words = new ArrayList<>(List.of(before));
    words.addAll(List.of(command));
    Process process =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(output).toFile())
            .start();
    processes.add(process);
    return process;
  }

  private void build(String... command) throws Exception {
    Process process = start(new String[0], command[0], command);
    assertThat(process.waitFor()).as(String.join("\n", said(command[0]))).isZero();
  }

  private List<String> said(String output) {
    try {
      return Files.readAllLines(folder.resolve(output));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Integer> numbers(String output, String word) {
    return said(output).stream()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> Integer.parseInt(line.split(" ")[1]))
        .toList();
  }

  @AfterEach
  void stop() throws Exception {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    if (hosts != null) {
      hosts.close();
    }
  }

  private String mapLine() {
    byte[] cells = new byte[1800 * 1800];
    new Random(1).nextBytes(cells);
    long sum = 0;
    for (byte cell : cells) {
      sum = sum * 31 + (cell & 0xff);
    }
    return "map 1800 1800 " + (sum & 0xffff_ffffL);
  }

  @Test
  void allThatARobotNeedsCrossesBothWays() throws Exception {
    for (String needed : List.of("/usr/bin/fastddsgen", "/usr/bin/g++")) {
      Assumptions.assumeTrue(
          Files.exists(Path.of(needed)), "there is no " + needed + ": apt install libfastrtps-dev");
    }
    TwoHosts.missing().ifPresent(why -> Assumptions.abort(why));
    for (String file : List.of("Ros.idl", "peer.cpp")) {
      try (InputStream text = Ros2Counter.class.getResourceAsStream("fastdds/" + file)) {
        Files.copy(text, folder.resolve(file));
      }
    }
    build("fastddsgen", "Ros.idl");
    build(
        "g++",
        "-std=c++11",
        "peer.cpp",
        "Ros.cxx",
        "RosPubSubTypes.cxx",
        "-lfastrtps",
        "-lfastcdr",
        "-lpthread",
        "-o",
        "peer");
    hosts = TwoHosts.up();
    start(
        hosts.onFirst(),
        "counter",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        Ros2Counter.class.getName(),
        DOMAIN,
        "10.99.0.1");
    Process peer = start(hosts.onSecond(), "said", folder.resolve("peer").toString(), DOMAIN);
    await().atMost(SOON).until(() -> said("counter").contains("scan 720 Infinity"));
    await().atMost(SOON).until(() -> said("counter").contains("tf base_link"));
    await().atMost(SOON).until(() -> said("said").contains(mapLine()));
    await().atMost(SOON).until(() -> said("said").contains("reply 1800 mine"));
    await().atMost(SOON).until(() -> numbers("said", "number").size() > 100);
    for (List<Integer> each :
        Arrays.asList(numbers("said", "number"), numbers("counter", "count"))) {
      int first = each.get(0);
      assertThat(each).isEqualTo(IntStream.range(first, first + each.size()).boxed().toList());
    }
    assertThat(said("said")).noneMatch(line -> line.contains("other's"));
    peer.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    start(hosts.onSecond(), "late", folder.resolve("peer").toString(), DOMAIN);
    await().atMost(SOON).until(() -> said("late").contains(mapLine()));
  }
}
