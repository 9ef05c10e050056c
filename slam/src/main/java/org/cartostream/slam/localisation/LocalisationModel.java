package org.cartostream.slam.localisation;

import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.localisation.LikelihoodField.ScanEnds;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * The settings of a localisation, and the known map with the data derived from it. Immutable: tasks
 * may share it.
 *
 * @param filterSettings of which the reading filter, the motion model, the matcher and the seed are
 *     used. Its {@code cellMetres} is that of the map if the map is coarser than configured
 * @param unitsPerMetre of beams and walls
 */
record LocalisationModel(
    LocalisationSettings settings,
    FilterSettings filterSettings,
    double unitsPerMetre,
    KnownMap map) {

  /**
   * Maximum number of beams used of a scan: neighbouring beams see the same wall, so more of them
   * cost time and tell next to nothing.
   */
  private static final int MAX_BEAMS = 180;

  /**
   * A step's scan, prepared for matching and weighing in the map.
   *
   * @param error odometry's error on the motion that led to the scan
   */
  record SeenStep(Beams beams, ScanEnds ends, MotionModel error) {

    /** Returns the number of independent beams for which the scan's hits count. */
    double evidence() {
      return ends.evidence() * ends.x().length;
    }
  }

  static LocalisationModel of(
      LocalisationSettings settings, FilterSettings filterSettings, ServerMap serverMap) {
    double cellMetres = Math.max(filterSettings.cellMetres(), serverMap.grid().resolution());
    FilterSettings adapted =
        cellMetres > filterSettings.cellMetres()
            ? Settings.with(filterSettings, Map.of("cellMetres", Double.toString(cellMetres)))
            : filterSettings;
    double unitsPerMetre = TiledMap.UNITS / cellMetres;
    KnownMap map = new KnownMap(serverMap, settings, unitsPerMetre);
    return new LocalisationModel(settings, adapted, unitsPerMetre, map);
  }

  /** Returns a new scan matcher, for one thread. */
  ScanMatcher matcher() {
    return new ScanMatcher(filterSettings.matcher(), filterSettings.cellMetres());
  }

  SeenStep seen(Step step) {
    Beams all = Beams.of(step.scan(), unitsPerMetre, filterSettings.independentRadians());
    Beams beams = all.atMost(MAX_BEAMS);
    double share = Math.min(1, (double) settings.independentBeams() / step.scan().beams());
    ScanEnds ends = map.field().ends(beams, unitsPerMetre, share * all.count() / beams.count());
    return new SeenStep(beams, ends, MotionModel.of(filterSettings, step, beams));
  }
}
