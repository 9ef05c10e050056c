package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.cartostream.deploy.cluster.DeadCluster;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures of commands that ask hosts. */
@Default
class ErrorPrinterIT {

  @Test
  void saysThatNoLogIsCalledSo(@TempDir Path folder) throws Exception {
    Path home = DeadCluster.in(folder.resolve("cluster")).folder();
    Cartostream run = Cartostream.run("cluster", "logs", "--home", home, "cartostream");
    assertThat(run.complaint()).startsWith("no log of the cluster has 'cartostream' in its path");
    assertThat(run.exitCode()).isEqualTo(1);
  }
}
