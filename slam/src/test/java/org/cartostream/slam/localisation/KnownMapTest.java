package org.cartostream.slam.localisation;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class KnownMapTest {

  /** Cells of 5 cm: of a block of 40 x 40 cells 156 are its rim. */
  @Test
  void ofWhatIsBlackAllThroughOnlyTheRimIsAWall() {
    GridWorld world = new GridWorld(8, 6).wall(3, 2, 5, 4);
    KnownMap map =
        new KnownMap(
            world.map(Pose.ORIGIN),
            Settings.defaults(LocalisationSettings.class),
            TiledMap.UNITS / 0.05);
    int around = 2 * 160 + 2 * 118;
    assertThat(map.walls().occupiedCells()).isEqualTo(around + 156);
  }
}
