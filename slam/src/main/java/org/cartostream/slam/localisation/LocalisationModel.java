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
 * The settings of a localisation, and the known map with what is derived from it. Nothing changes
 * it: tasks may share it.
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

  /** Neighbours see the same wall: more beams tell next to nothing, and cost as much each. */
  private static final int MAX_BEAMS = 180;

  /**
   * A scan in the map.
   *
   * @param error of the motion that led to it
   */
  record SeenStep(Beams beams, ScanEnds ends, MotionModel error) {

    /** Returns for how many independent beams its hits count. */
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

  /** A matcher for one thread. */
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
