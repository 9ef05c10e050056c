package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.cartostream.deploy.cluster.DeadCluster;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What it refuses before it asks for a cluster. */
@Quick
class SoakCommandTest {

  @ParameterizedTest
  @ValueSource(ints = {9, 0, -60})
  void killsNoWorkersFasterThanItLooksAtThem(int seconds) {
    Bench soak = Bench.run("soak", "--kill-every", seconds);
    assertThat(soak.complaint())
        .isEqualTo(
            "--kill-every "
                + seconds
                + ": it must be at least 10 s, for workers are looked at every 5 s");
    assertThat(soak.exitCode()).isEqualTo(2);
  }

  @Test
  void wantsSomebodyToDriveForSomeTime() {
    assertThat(Bench.run("soak", "--robots", 0).complaint())
        .isEqualTo("--robots 0, --minutes 10: both must be at least 1");
  }

  /** Of two hosts a worker is found by its port only, and both may have the same. */
  @Test
  void killsNoWorkersOfSeveralHosts(@TempDir Path folder) throws Exception {
    Path home = folder.resolve("cluster");
    DeadCluster.withAHostThatIsAway(home);
    Bench soak = Bench.run("soak", "--home", home, "--kill-every", 60);
    assertThat(soak.complaint())
        .isEqualTo("--kill-every: only on a cluster of one host, and this has 2");
    assertThat(soak.exitCode()).isEqualTo(2);
  }
}
