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
 * @param map file of the map
 * @param start the stated initial pose; null if it was unknown
 * @param ok number of readings with a reliable pose
 * @param ambiguous number of readings that fit several places of the map alike
 * @param lost number of readings that did not fit the map
 * @param firstOk place of the first OK reading among the processed ones, from 1; 0 if there is none
 * @param lostSince place of the first of the LOST readings at the run's end among the processed
 *     ones, from 1; 0 if the last reading is not LOST
 * @param end state after the last reading; null if there was none
 * @param medianFit median of the readings' fits; a fit is the share of the beams' hits that are in
 *     the map, 0 to 1
 * @param minFit smallest fit of a reading
 * @param medianSpreadMetres median standard deviation of the particles around the pose, metres
 * @param drivenMetres distance driven, without the jumps of the pose when the robot is found,
 *     metres
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

  /** Returns a warning for people if the last readings did not fit the map; otherwise empty. */
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
