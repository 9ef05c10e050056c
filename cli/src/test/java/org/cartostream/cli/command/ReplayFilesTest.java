package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.cartostream.checkpoint.RunState;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.maps.RunFiles;
import org.cartostream.run.report.RunReport;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** A run's files are of its end, or it says that they are not; and it touches no others. */
@Quick
class ReplayFilesTest extends SerialReplays {

  private Cartostream office(Object... more) {
    return replay(Stream.concat(Stream.of(Logs.OFFICE, "--limit", 20), Stream.of(more)).toArray());
  }

  /** By links with the names of all files of a run, whole or being written. */
  @Test
  void whatLinksLeadToIsNotTouched() throws IOException {
    Path outside = Files.createDirectories(folder.resolve("outside"));
    Files.createDirectories(out().resolve("checkpoint/office"));
    List<String> names = new ArrayList<>(RunFiles.ALL.keySet());
    names.addAll(
        List.of(
            "run.state.part-being-written",
            "checkpoint/run.journal",
            "checkpoint/office/0-20.json",
            "checkpoint/office/attempts.json"));
    for (String name : names) {
      Path precious = Files.writeString(outside.resolve(name.replace('/', '_')), "mine");
      Files.createSymbolicLink(out().resolve(name), precious);
    }

    assertThat(office().exitCode()).isZero();

    for (String name : names) {
      assertThat(outside.resolve(name.replace('/', '_'))).as(name).hasContent("mine");
    }
    assertThat(outside.toFile().list()).hasSameSizeAs(names);
    assertThat(report().at("/files")).hasSize(9);
    assertThat(out().resolve("report.json"))
        .satisfies(file -> assertThat(Files.isSymbolicLink(file)).isFalse());
  }

  @Test
  void aFolderInTheWayIsNamedBeforeTheRun() throws IOException {
    Path there = Files.createDirectories(out().resolve("report.json/mine")).getParent();
    failsWith(1, office(), "'" + there + "' is a folder, and the run writes a file", "--out DIR");
    Files.delete(there.resolve("mine"));
    Files.delete(there);

    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere/office")).getParent();
    Files.writeString(elsewhere.resolve("office/0-3.json"), "mine");
    Files.createSymbolicLink(out().resolve("checkpoint"), elsewhere);
    failsWith(1, office(), "checkpoint' is a link", "--out DIR names another");
    assertThat(elsewhere.resolve("office/0-3.json")).hasContent("mine");
  }

  @Test
  void theNextRunSweepsWhatKilledWritersAndOtherRunsLeft() throws IOException {
    Files.createDirectories(out().resolve("checkpoint/office-1f"));
    List<String> left =
        List.of(
            "report.json." + new UUID(1, 2) + ".part",
            "run.state." + new UUID(1, 3) + ".part",
            "checkpoint/run.journal",
            "checkpoint/office-1f/1-12.json");
    for (String name : left) {
      Files.writeString(out().resolve(name), "half");
    }
    String foreign = "report.json.mine.part";
    Files.writeString(out().resolve(foreign), "mine");

    assertThat(office().exitCode()).isZero();

    assertThat(left).noneMatch(name -> Files.exists(out().resolve(name)));
    assertThat(out().resolve(foreign)).hasContent("mine");

    String half = "report.json." + new UUID(1, 2) + ".part";
    Files.writeString(out().resolve(half), "half");
    assertThat(office("--resume").exitCode()).isZero();
    assertThat(out().resolve(half)).doesNotExist();
  }

  /** As where their disk is full. */
  @Test
  void aStateThatCannotBeWrittenIsNamedAndNotListed() throws IOException {
    Files.createDirectories(out());
    Files.writeString(out().resolve("checkpoint"), "in the way of the folder");

    Cartostream run = office();

    failsWith(
        1, run, "not all could be written: " + out().resolve(RunState.FILE) + ": ", "make room");
    assertThat(run.out()).contains("not written to the run's end:");
    assertThat(report().at("/files").has(out().resolve(RunState.FILE).toString())).isFalse();
    assertThat(report().at("/unwritten").has(out().resolve(RunState.FILE).toString())).isTrue();
    assertThat(out().resolve("map.png")).exists();
  }

  @Test
  void goingOnSaysFromWhereAndWhetherThatIsTheEnd() throws IOException {
    assertThat(office().exitCode()).isZero();
    Path state = out().resolve(RunState.FILE);
    Object[] continued = {
      "replay", Logs.OFFICE, "--limit", 25, "--particles", 5, "--continue", state
    };
    Cartostream run =
        Cartostream.run(
            Stream.concat(Stream.of(continued), Stream.of("--out", folder.resolve("on")))
                .toArray());
    assertThat(run.err())
        .contains("note: the run goes on from reading 20 of 20 of 'office' (" + state + ")");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void aRunThatWasRefusedForWantOfRoomHasFailed() throws IOException {
    assertThat(office().exitCode()).isZero();
    for (String why : List.of("TOO_MUCH_MEMORY", "MEMORY_SHORT", "TOO_MANY_SCANS")) {
      ObjectNode changed = (ObjectNode) report();
      changed.withObject("/refusals/" + why).put("count", 10).put("first", "there is no room");
      ObjectMapper json =
          RunReport.json().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
      RunReport report = json.treeToValue(changed, RunReport.class);
      assertThat(
              catchThrowableOfType(
                  ExitException.class, () -> report.exitCode(new ShutdownRequest())))
          .hasMessageContaining("10 of 20 readings were refused for want of memory or disk")
          .satisfies(e -> assertThat(e.exitCode()).isEqualTo(1));
    }
  }
}
