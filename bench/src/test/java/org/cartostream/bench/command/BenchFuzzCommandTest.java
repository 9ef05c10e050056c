package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.run.Logs;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class BenchFuzzCommandTest {

  @TempDir private Path folder;

  @Test
  void printsAndWritesWhatCameOfEachLog() throws IOException {
    Path log = Logs.file(folder, Logs.office(3));
    Bench run = Bench.run("fuzz", "--times", 5, "--out", folder, log);
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).containsPattern("my.clf +5 +0 +0 ");
    assertThat(Files.readAllLines(folder.resolve("fuzz.csv")))
        .hasSize(2)
        .first()
        .isEqualTo("log,files,faulty,told,slowest ms");
  }

  @Test
  void refusesALogThatIsNotReadRightAsItIs() throws IOException {
    Path cut = Files.writeString(folder.resolve("cut.bag"), "#ROSBAG V2.0\nabc");
    Bench run = Bench.run("fuzz", "--times", 5, "--out", folder, cut);
    assertThat(run.exitCode()).isOne();
    assertThat(run.complaint()).contains("cut.bag is not whole");
  }
}
