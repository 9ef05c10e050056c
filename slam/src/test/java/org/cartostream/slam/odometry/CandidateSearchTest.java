package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class CandidateSearchTest {

  private static Beams lookedAt(int beams, Map<String, String> settings) {
    float[] ranges = new float[beams];
    Arrays.fill(ranges, 3);
    CandidateSearch search = new CandidateSearch(Settings.build(FilterSettings.class, settings));
    search.look(new Scan(Pose.ORIGIN, -3, 6.0 / beams, 0.1, 20, ranges));
    return search.beams();
  }

  @Test
  void ofAScanOfManyBeamsSomeCountForAll() {
    Beams some = lookedAt(10_000, Map.of());
    Beams all = lookedAt(10_000, Map.of("odometry.maxBeams", "10000"));
    assertThat(some.count()).isEqualTo(2_000);
    assertThat(all.count()).isEqualTo(10_000);
    assertThat(some.count() * some.evidence())
        .isCloseTo(all.count() * all.evidence(), within(1e-9 * all.count()));
  }

  @Test
  void ofOneOfFewAllAreLookedAt() {
    assertThat(lookedAt(1_081, Map.of()).count()).isEqualTo(1_081);
  }
}
