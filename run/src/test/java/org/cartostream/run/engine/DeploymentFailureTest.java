package org.cartostream.run.engine;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.cartostream.deploy.cluster.DeadCluster;
import org.cartostream.run.deployment.ClusterDeployment;
import org.cartostream.run.deployment.Deployment;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that does not start, and what is said of it. */
@Quick
class DeploymentFailureTest {

  private static final RootSettings SETTINGS = Settings.defaults(RootSettings.class);

  @TempDir private Path folder;

  @Test
  void waitsForNoEndOfATopologyThatNimbusWasNeverAskedToTake() throws Exception {
    Deployment deployment =
        new ClusterDeployment(
            DeadCluster.in(folder.resolve("dead")), SETTINGS.broker(), "robot", false);

    assertThatThrownBy(() -> deployment.start(SETTINGS))
        .isInstanceOf(ExitException.class)
        .hasMessageStartingWith("Nimbus does not answer");

    assertThatCode(deployment::stop).doesNotThrowAnyException();
  }
}
