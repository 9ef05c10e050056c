package org.cartostream.slam.localisation;

import java.util.Locale;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.particle.ParticleFilter;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.TaskLayout;

/**
 * Monte Carlo localisation in a known map, see {@link LocalisationFilter}.
 *
 * @param start where the robot is at first, in the grid's frame; empty if nobody knows
 */
record LocalisationFilters(LocalisationModel model, Optional<Pose> start)
    implements ParticleFilters<Void> {

  /**
   * In a map, from a start in the {@code map} frame.
   *
   * @throws IllegalArgumentException if the robot cannot be there
   */
  static LocalisationFilters of(LocalisationModel model, ServerMap map, Optional<Pose> start) {
    start.ifPresent(pose -> checkStart(map, pose));
    return new LocalisationFilters(model, start.map(model.map()::inGrid));
  }

  private static void checkStart(ServerMap map, Pose start) {
    int cell = map.cellOf(start);
    String where = String.format(Locale.ROOT, "(%s, %s)", start.x(), start.y());
    if (cell < 0) {
      Pose far =
          map.origin()
              .then(
                  new Pose(
                      map.grid().width() * map.grid().resolution(),
                      map.grid().height() * map.grid().resolution(),
                      0));
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the start %s lies outside the map, which reaches from (%.2f, %.2f) to (%.2f, %.2f)",
              where,
              map.origin().x(),
              map.origin().y(),
              far.x(),
              far.y()));
    }
    if (map.isOccupied(cell)) {
      throw new IllegalArgumentException(
          "the start " + where + " lies inside a wall of the map; a robot stands where it is free");
    }
  }

  @Override
  public int particles() {
    return model.settings().particles();
  }

  @Override
  public ParticleFilter<Void> filter(String robot, int task, TaskLayout taskLayout) {
    return new LocalisationFilter(model, robot, start);
  }

  @Override
  public ParticleSelector selector(String robot) {
    return new AugmentedSelector(model.settings(), model.filterSettings(), robot);
  }
}
