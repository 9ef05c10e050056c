package org.cartostream.cli.command;

import java.nio.file.Path;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten more drives of {@link CrowdedRobotAccuracyTest}. */
@Nightly(computes = true)
class CrowdedRobotsAccuracyTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
  void whatPeopleDoAroundItEndsNoMap(int seed) throws Exception {
    CrowdedRobotAccuracyTest.assertNoMapEnds(folder, seed);
  }
}
