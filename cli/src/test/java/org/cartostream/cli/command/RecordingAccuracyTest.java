package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Nightly;
import org.cartostream.web.recording.RunRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs that are not ours read in the recording of a run. */
@Nightly(computes = true)
class RecordingAccuracyTest {

  private static final int READINGS = 320;

  @TempDir private Path folder;

  private Cartostream replay(Object log, Path out, Object... more) {
    List<Object> command =
        new ArrayList<>(List.of("replay", log, "--particles", 10, "--out", out, "--robot", "r"));
    command.addAll(List.of(more));
    Cartostream ended = Cartostream.run(new ShutdownRequest(), command.toArray());
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return ended;
  }

  private static Path python(String library) {
    Path python =
        Path.of(System.getProperty("user.home"), ".cache/cartostream", library, "bin/python");
    assumeTrue(
        Files.exists(python), "there is no " + library + ": scripts/test puts it into " + python);
    return python;
  }

  private String said(Object program, String name, Object... arguments) throws Exception {
    Path script = folder.resolve(name);
    try (InputStream text = RecordingAccuracyTest.class.getResourceAsStream(name)) {
      Files.copy(text, script);
    }
    List<String> command = new ArrayList<>(List.of(program.toString(), script.toString()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(process.waitFor()).as(Files.readString(said)).isZero();
    return Files.readString(said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"serial", "storm"})
  void rosbagsReadsItWhole(String engine) throws Exception {
    Path python = python("rosbags");
    Path out = folder.resolve(engine);
    replay(Logs.OFFICE, out, "--engine", engine);
    String said =
        said(python, "recording.py", out.resolve(RunRecorder.FILE), out.resolve("map.pgm"));
    assertThat(said)
        .contains("/scan " + READINGS + "\n")
        .contains("/cartostream/pose " + READINGS + "\n")
        .contains("/cartostream/counters " + READINGS + "\n")
        .contains("/cartostream/path 1\n")
        .containsPattern("/cartostream/particles (\\d{2})\n") // At every tenth reading, or later.
        .containsPattern("/cartostream/particle_tasks (\\d{2})\n")
        .contains("cells that differ 0\n")
        .contains("particles map each time 10\n")
        .contains("particles over 1 m from the pose 0\n");
    long edges = loopEdges(out);
    assertThat(edges).as("edges that the report has").isPositive();
    assertThat(said)
        .as("those that were found at the end")
        .contains("loops map type 5 edges " + edges + "\n")
        .contains("ends beside the path 0\n")
        .contains("edges over 9 m 0\n");
  }

  private static long loopEdges(Path out) throws IOException {
    return new ObjectMapper()
        .readTree(out.resolve("report.json").toFile())
        .at("/loops/closed")
        .asLong();
  }

  @Test
  void theFormatsOwnLibraryFindsMomentsByTheIndex() throws Exception {
    Path python = python("mcap");
    Path out = folder.resolve("out");
    replay(Logs.OFFICE, out, "--engine", "serial");
    String said = said(python, "recording-index.py", out.resolve(RunRecorder.FILE));
    assertThat(said).contains("from the middle True").containsPattern("counted (\\d+) read \\1\\s");

    // durability 1 is transient_local, 2 is volatile: tf2 and RViz ask for the former.
    assertThat(said(python, "recording-rosbag2.py", out.resolve(RunRecorder.FILE)))
        .doesNotContain("wrong")
        .contains("profile ros2\n", "encodings cdr\n")
        .contains("/map durability 1\n", "/tf_static durability 1\n")
        .contains("/tf durability 2\n", "/scan durability 2\n")
        .contains("/cartostream/counters durability 2\n")
        .contains("/cartostream/particle_tasks durability 2\n")
        .contains("/cartostream/map_state durability 2\n");
  }

  /** The bytes by the format's own library, and what they mean by Foxglove's decoder. */
  @Test
  void foxglovesOwnDecoderReadsLoopsAndParticles() throws Exception {
    Path modules =
        Path.of(System.getProperty("user.home"), ".cache/cartostream/ws-protocol/node_modules");
    assumeTrue(
        Files.exists(modules.resolve("@foxglove/rosmsg2-serialization")),
        "there is no " + modules + ": scripts/test puts it there, if there is npm");
    Path python = python("mcap");
    Path out = folder.resolve("out");
    replay(Logs.OFFICE, out, "--engine", "serial");
    String messages =
        said(
            python,
            "recording-messages.py",
            out.resolve(RunRecorder.FILE),
            "/cartostream/loops",
            "/cartostream/particles");
    Path lines = Files.writeString(folder.resolve("lines"), messages);
    assertThat(said("node", "recording-messages.cjs", modules, lines))
        .contains("loops map type 5 edges " + loopEdges(out) + "\n")
        .contains("particles map each time 10\n");
  }

  /** A recording is a log like any other. */
  @Test
  void aRecordingCanBeReplayed() throws IOException {
    Path out = folder.resolve("out");
    replay(Logs.OFFICE, out, "--engine", "serial");
    Path again = folder.resolve("again");
    Cartostream replayed =
        replay(out.resolve(RunRecorder.FILE), again, "--engine", "serial", "--no-record");
    assertThat(replayed.out()).contains(READINGS + " processed, 0 refused, 0 skipped, 0 lost");
    assertThat(again.resolve(RunRecorder.FILE)).doesNotExist();
    Cartostream refused =
        Cartostream.run(
            new ShutdownRequest(), "replay", out.resolve(RunRecorder.FILE), "--out", out);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("lies in the output folder", "--out DIR names another");
    assertThat(out.resolve(RunRecorder.FILE)).exists();
  }

  /** The recording watches: it changes nothing. */
  @Test
  void theRunsBytesAreTheSameWithoutIt() throws IOException {
    Path with = folder.resolve("with");
    Path without = folder.resolve("without");
    replay(Logs.OFFICE, with, "--engine", "serial");
    replay(Logs.OFFICE, without, "--engine", "serial", "--no-record");
    for (String file : List.of("trajectory.tum", "live.tum", "map.pgm")) {
      assertThat(with.resolve(file)).hasSameBinaryContentAs(without.resolve(file));
    }
  }
}
