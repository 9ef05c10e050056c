package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that have too little of something: each is said in one sentence, with what is right. */
@Default(cluster = true)
class SmallHostIT {

  /** Not that of the tests, which shows traces. */
  private static final Map<String, String> PRODUCT_LOGGING =
      Map.of("JAVA_TOOL_OPTIONS", "-Dlogback.configurationFile=logback.xml");

  @TempDir private Path folder;
  private final List<SmallDisk> mounted = new ArrayList<>();
  private Path log;

  @BeforeEach
  void shortLog() throws Exception {
    log = Files.write(folder.resolve("short.clf"), Logs.office(20));
  }

  @AfterEach
  void unmount() {
    mounted.forEach(SmallDisk::close);
  }

  private Path disk(String options) throws Exception {
    SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), options);
    mounted.add(disk);
    return disk.folder();
  }

  /** All that a failing command prints, behind a shell's words if there are any. */
  private List<String> failure(String shell, Map<String, String> environment, Object... command)
      throws Exception {
    String[] before =
        shell.isEmpty() ? new String[0] : new String[] {"sh", "-c", shell + "; exec \"$@\"", "sh"};
    return failure(before, environment, command);
  }

  /** All that a failing command prints, behind other words of a command if there are any. */
  private List<String> failure(String[] before, Map<String, String> environment, Object... command)
      throws Exception {
    Path output = folder.resolve("output");
    Process process = CartostreamProcess.startBehind(before, output, environment, command);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    List<String> lines = Files.readAllLines(output);
    lines.removeIf(line -> line.startsWith("Picked up") || line.startsWith("["));
    return lines;
  }

  private Object[] replay(String engine, Path out) {
    return new Object[] {"replay", log, "--engine", engine, "--particles", 2, "--out", out};
  }

  @Test
  void aProcessThatMayOpenTooFewFilesSaysSoAndHowManyAreRight() throws Exception {
    assertThat(failure("ulimit -n 60", Map.of(), replay("storm", folder.resolve("out"))))
        .containsExactly(
            "cartostream: this process may have 60 files open at a time, and needs 512; 'ulimit -n"
                + " 1024' before it, or LimitNOFILE=1024 in its unit, is right");
  }

  @Test
  void aClusterWhoseServersMayOpenTooFewFilesIsNotStarted() throws Exception {
    Path home = folder.resolve("cluster");
    assertThat(failure("ulimit -n 1000", Map.of(), "cluster", "up", "--home", home))
        .singleElement()
        .asString()
        .contains("a process may have 1000 files open", "a cluster's server needs 4096");
    assertThat(home).doesNotExist();
  }

  @Test
  void aTemporaryFolderThatCannotBeWrittenIsNamed() throws Exception {
    Path disk = disk("ro");
    Map<String, String> there = Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + disk);
    assertThat(failure("", there, replay("storm", folder.resolve("out"))))
        .containsExactly(
            "cartostream: the embedded broker needs a temporary folder, and none can be made in "
                + disk
                + ": Read-only file system; -Djava.io.tmpdir=DIR in CARTOSTREAM_JVM_OPTS names"
                + " another place");
  }

  /** Replays the log in one thread, and checks that it is mapped. */
  private void assertIsReplayed(String[] before, Map<String, String> environment, String... options)
      throws Exception {
    Path output = folder.resolve("output");
    Object[] replay =
        Stream.concat(Stream.of(replay("serial", folder.resolve("out"))), Stream.of(options))
            .toArray();
    Process process = CartostreamProcess.startBehind(before, output, environment, replay);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    assertThat(folder.resolve("out/map.png")).exists();
  }

  /** But for a recording, whose packing library is unpacked there. */
  @Test
  void aLogIsReplayedWithoutATemporaryFolder() throws Exception {
    Map<String, String> there = Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + disk("ro"));
    assertIsReplayed(new String[0], there, "--no-record");
  }

  @Test
  void aLogIsReplayedWhereTheHomeFolderCannotBeWritten() throws Exception {
    String home = disk("ro").toString();
    assertIsReplayed(
        new String[0], Map.of("HOME", home, "JAVA_TOOL_OPTIONS", "-Duser.home=" + home));
  }

  /** Of a name that no resolver has an address of, as in a bare container. */
  @Test
  void aHostWhoseNameHasNoAddressIsToldSoByStormOnly() throws Exception {
    String[] named = {
      "unshare", "--uts", "sh", "-c", "hostname nowhere.invalid; exec \"$@\"", "sh"
    };
    assertThat(failure(named, Map.of(), replay("storm", folder.resolve("storm"))))
        .last()
        .asString()
        .startsWith("cartostream: Storm wants an address of this host's own name, and it has none")
        .contains("nowhere.invalid", "a line '127.0.0.1 NAME' in /etc/hosts is right");
    assertIsReplayed(named, Map.of());
  }

  @Test
  void aFullDiskIsNamedAndNoStackTraceIsShown() throws Exception {
    Path disk = disk("size=64k");
    try (OutputStream out = Files.newOutputStream(disk.resolve("filler"))) {
      out.write(new byte[40 << 10]);
    }
    List<String> lines = failure("", PRODUCT_LOGGING, replay("serial", disk.resolve("out")));
    assertThat(lines).noneMatch(line -> line.startsWith("\tat ") || line.contains("Caused by"));
    assertThat(lines.get(lines.size() - 1))
        .startsWith("cartostream: ")
        .contains(" on the disk " + disk, "No space left on device");
  }
}
