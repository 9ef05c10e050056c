package org.cartostream.run.engine;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.LocalisationQuality.State;

/**
 * The report's part about a localised run: how many readings were OK, AMBIGUOUS and LOST, and how
 * well the scans fitted the map.
 *
 * @param map its YAML file
 * @param start where the robot was said to be; null if nobody knew
 * @param ok readings with a pose to be relied on
 * @param ambiguous readings at which the robot could as well have been elsewhere
 * @param lost readings that did not fit the map
 * @param firstOk place of the first of those that were ok among those processed, from 1; 0 if none
 * @param end state after the last reading; null if there was none
 * @param medianFit share of what the beams met that stands in the map, half the readings had more
 * @param minFit the smallest
 * @param medianSpreadMetres how far the particles lay around the pose
 * @param drivenMetres by the motions of the robot, without the jumps of a pose that is found
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LocalisationReport(
    String map,
    Pose start,
    long ok,
    long ambiguous,
    long lost,
    long firstOk,
    State end,
    double medianFit,
    double minFit,
    double medianSpreadMetres,
    double drivenMetres) {

  static LocalisationReport of(
      KnownPlace place, List<LocalisationQuality> qualities, double drivenMetres) {
    long firstOk =
        1 + qualities.stream().map(LocalisationQuality::state).toList().indexOf(State.OK);
    double[] fits = qualities.stream().mapToDouble(LocalisationQuality::fit).sorted().toArray();
    double[] spreads =
        qualities.stream().mapToDouble(LocalisationQuality::deviationMetres).sorted().toArray();
    int size = qualities.size();
    return new LocalisationReport(
        place.map().toString(),
        place.start().orElse(null),
        count(qualities, State.OK),
        count(qualities, State.AMBIGUOUS),
        count(qualities, State.LOST),
        firstOk,
        size == 0 ? null : qualities.get(size - 1).state(),
        size == 0 ? 0 : fits[size / 2],
        size == 0 ? 0 : fits[0],
        size == 0 ? 0 : spreads[size / 2],
        drivenMetres);
  }

  private static long count(List<LocalisationQuality> qualities, State state) {
    return qualities.stream().filter(quality -> quality.state() == state).count();
  }
}
