package org.cartostream.run.engine;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
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
 * @param lostSince place of the first of those with which it ended LOST, likewise; 0 if it did not
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
    long lostSince,
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
        lostSince(qualities),
        size == 0 ? null : qualities.get(size - 1).state(),
        size == 0 ? 0 : fits[size / 2],
        size == 0 ? 0 : fits[0],
        size == 0 ? 0 : spreads[size / 2],
        drivenMetres);
  }

  private static long lostSince(List<LocalisationQuality> qualities) {
    int since = qualities.size();
    while (since > 0 && qualities.get(since - 1).state() == State.LOST) {
      since--;
    }
    return since == qualities.size() ? 0 : since + 1;
  }

  /** A sentence for people if the map does not show what was seen in the end. */
  public Optional<String> misfit() {
    return lostSince == 0
        ? Optional.empty()
        : Optional.of(
            ("from localised reading %d on, what the laser sees does not fit the map '%s'"
                    + " anywhere that the robot was looked for")
                .formatted(lostSince, map));
  }

  private static long count(List<LocalisationQuality> qualities, State state) {
    return qualities.stream().filter(quality -> quality.state() == state).count();
  }
}
