package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.cli.OfficeReplay.command;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.cartostream.cli.Cartostream;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options and settings that cannot be right, and what a user is told of them. */
@Quick
class ReplayUsageTest extends SerialReplays {

  @Test
  void refusesAFieldOfViewThatNoLaserHas() {
    failsWith(
        2,
        replay(Logs.OFFICE, "--set", "carmen.flaserDegrees=400"),
        "flaserDegrees: 400",
        "to 360");
    failsWith(
        2, replay(Logs.OFFICE, "--set", "carmen.flaserDegrees=4.7"), "flaserDegrees: 4.7", "10 to");
  }

  @Test
  void wantsAtLeastOneParticle() {
    failsWith(2, replay(Logs.OFFICE, "--set", "slam.seed=x"), "slam.seed", "'x'");
    failsWith(
        2, Cartostream.run("replay", Logs.OFFICE, "--particles", 0), "slam.particles: 0", "from 1");
  }

  @Test
  void wantsAtLeastOneTask() {
    failsWith(2, replay(Logs.OFFICE, "--tasks", 0), "topology.tasks: 0", "from 1");
  }

  @Test
  void suggestsTheNearestKey() {
    failsWith(
        2, replay(Logs.OFFICE, "--set", "slam.particels=3"), "did you mean 'slam.particles'?");
  }

  @Test
  void namesTheConfigurationFileWithAnUnknownKey() throws IOException {
    Path config = Files.writeString(folder.resolve("my.yaml"), "slam:\n  sead: 9\n");
    failsWith(2, replay(Logs.OFFICE, "--config", config), "my.yaml: ", "did you mean 'slam.seed'?");
  }

  @Test
  void suggestsTheNearestOption() {
    failsWith(2, replay(Logs.OFFICE, "--sead", 3), "'--sead'", "did you mean --seed");
  }

  @Test
  void wantsARobotsId() {
    failsWith(2, replay(Logs.OFFICE, "--robot", "r2.d2"), "--robot", "r2.d2");
  }

  @Test
  void wantsARateAboveZero() {
    failsWith(2, replay(Logs.OFFICE, "--rate", "0"), "--rate", "'0'", "max");
  }

  @Test
  void wantsALimitAboveZero() {
    failsWith(2, replay(Logs.OFFICE, "--limit", "0"), "--limit 0", "at least 1");
  }

  @Test
  void namesAReferenceThatIsMissing() {
    failsWith(1, replay(Logs.OFFICE, "--reference", "none.tum"), "none.tum");
  }

  @Test
  void showsTheStackTraceOnlyToWhoAsks() {
    Cartostream run = replay(Logs.OFFICE, "--limit", 0, "--verbose");
    assertThat(run.err()).contains("\tat org.cartostream.cli");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void wantsAClusterForWorkers() {
    failsWith(2, Cartostream.run("replay", Logs.OFFICE, "--workers", 2), "--workers", "--cluster");
  }

  @Test
  void refusesASettingOfWorkersWhereAllIsInOneProcess() {
    failsWith(
        2,
        Cartostream.run("replay", Logs.OFFICE, "--set", "topology.workers=2"),
        "--set topology.workers",
        "--cluster");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "broker.uri=amqp://a@b",
        "registry.zookeeper=a:1",
        "gateway.creditReadings=3",
        "topology.tasks=2"
      })
  void refusesASettingThatMeansNothingToTheSerialEngine(String setting) {
    Cartostream run = replay(Logs.OFFICE, "--set", setting);
    assertThat(run.exitCode()).isEqualTo(ExitException.WRONG_USAGE);
    assertThat(run.complaint())
        .startsWith("--set " + setting.split("=")[0] + ": not with --engine serial");
  }

  @Test
  void refusesWhatTheSerialEngineDoesNotDo() {
    Cartostream elsewhere = replay(Logs.OFFICE, "--workers", 2, "--cluster");
    assertThat(elsewhere.complaint()).startsWith("--cluster, --workers: not with --engine serial");
    assertThat(elsewhere.exitCode()).isEqualTo(2);
    for (String option : List.of("--broker", "--zookeeper", "--rate")) {
      String value = option.equals("--broker") ? "amqp://localhost" : "2";
      assertThat(replay(Logs.OFFICE, option, value).complaint())
          .startsWith(option + ": not with --engine serial");
    }
    Cartostream tasks = replay(Logs.OFFICE, "--tasks", 4, "--set", "topology.mode=bsp");
    assertThat(tasks.complaint()).startsWith("--tasks, --set topology.mode: not with --engine");
    assertThat(replay(Logs.OFFICE, "--mode", "bsp").complaint()).startsWith("--mode: not with");
    assertThat(replay(Logs.OFFICE, "--limit", 1, "--rate", "max").exitCode()).isZero();
  }

  @Test
  void takesOneThreadWhereNoOptionNeedsStorm() throws IOException {
    Object[] replay = {
      "replay", Logs.OFFICE, "--limit", 3, "--particles", 5, "--out", out(), "--robot", "r1"
    };
    Cartostream run = Cartostream.run(replay);
    assertThat(run.err()).containsOnlyOnce("note: by the serial engine (5 particles, ");
    assertThat(report().at("/engine").asText()).isEqualTo("serial");

    replay[3] = 6;
    Object[] resumed = Stream.concat(Stream.of(replay), Stream.of("--resume")).toArray();
    assertThat(Cartostream.run(resumed).exitCode()).isZero();
    assertThat(report().at("/resumed/reading").asInt()).isEqualTo(3);
    assertThat(report().at("/engine").asText()).isEqualTo("serial");
  }

  @Test
  void resumesByTheEngineOfTheRun() throws IOException {
    ShutdownRequest ended = new ShutdownRequest();
    ended.request(130); // Storm is not needed for a word ahead.
    Object[] replay = {"replay", Logs.OFFICE, "--particles", 1, "--out", out(), "--resume"};
    String idle = "note: of 2 tasks 1 have no particle";
    assertThat(Cartostream.run(ended, replay).err()).doesNotContain(idle);
    Path journal = out().resolve(RunCheckpoints.FOLDER).resolve(RunJournal.FILE);
    Files.createDirectories(journal.getParent());
    Files.createFile(journal);
    assertThat(Cartostream.run(ended, replay).err()).contains(idle);
  }

  @Test
  void takesStormForManyParticlesIfThereAreProcessorsForThem() {
    assertThat(ReplayCommand.byTable(2, 10_000)).isEqualTo(Engine.Kind.SERIAL);
    assertThat(ReplayCommand.byTable(4, 399)).isEqualTo(Engine.Kind.SERIAL);
    assertThat(ReplayCommand.byTable(4, 400)).isEqualTo(Engine.Kind.STORM);
  }

  @Test
  void saysThatNoBrokerIsThere() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Cartostream run =
        Cartostream.run(command(folder, "--broker", "amqp://guest:guest@127.0.0.1:" + port));
    assertThat(run.complaint()).contains("127.0.0.1:" + port).doesNotContain("guest:guest");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void saysHowToReplayByAServiceThatWasSubmitted() {
    Cartostream run =
        Cartostream.run(
            command(folder, "--broker", "amqp://localhost", "--set", "broker.service=mine"));
    assertThat(run.complaint())
        .isEqualTo(
            "--set broker.service: a replay has a service of its own, and not one that was"
                + " submitted; --cluster replays through a cluster, and 'gateway' serves a robot by"
                + " what was submitted");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void saysThatAnAddressIsNone() {
    Cartostream run = Cartostream.run(command(folder, "--broker", "http://somewhere"));
    assertThat(run.complaint()).contains("it does not begin with amqp:// or amqps://");
    assertThat(run.exitCode()).isEqualTo(2);
  }
}
