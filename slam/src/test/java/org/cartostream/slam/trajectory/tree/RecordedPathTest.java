package org.cartostream.slam.trajectory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RecordedPathTest {

  @Test
  void aPathThatHasNotBegunHasNoLoopsAndAnEmptyMap() {
    TrajectoryTree tree = new TrajectoryTree(Settings.defaults(FilterSettings.class));

    RecordedPath recordedPath = tree.bestPath().withLoopsClosed();

    assertThat(recordedPath.path()).isEmpty();
    assertThat(recordedPath.loopsClosed().loops()).isZero();
    assertThat(recordedPath.map().extent().cells()).isEqualTo(1);
  }
}
