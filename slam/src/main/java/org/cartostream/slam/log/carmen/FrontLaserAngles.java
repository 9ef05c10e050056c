package org.cartostream.slam.log.carmen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Angles of the beams on {@code FLASER} lines, which do not give them. They come from a setting;
 * else from the log's parameter for the step between beams, if it is plausible; else from a known
 * laser with this number of beams; else the field of view is taken to be half a turn.
 *
 * <p>Owns the count of lines by their number of beams.
 */
public final class FrontLaserAngles {

  /**
   * Directions of a scan's beams, radians.
   *
   * @param start direction of the first beam
   * @param step angle from one beam to the next
   */
  record BeamAngles(double start, double step) {}

  /**
   * A laser that is known by the number of its beams.
   *
   * @param name the laser's name, for people; "" if no other laser has this number of beams: then a
   *     parameter with another step is of a log from which beams were left out
   */
  private record KnownLaser(int count, double step, double start, String name) {

    BeamAngles beams() {
      return new BeamAngles(start, step);
    }

    boolean isSure() {
      return name.isEmpty();
    }

    /**
     * Returns true if a step is this laser's, also rounded: a Hokuyo's data sheet has 0.36 degrees
     * for 0.3516.
     */
    boolean hasStep(double other) {
      return StrictMath.abs(other - step) <= ROUNDING * step;
    }
  }

  private static final double ROUNDING = 0.03;

  private static final double HALF_TURN = StrictMath.PI;
  private static final double STEP_OF_1024 = HALF_TURN / 512;

  /**
   * The lasers that CARMEN was made with look over half a turn by 1 or 0.5 degrees, or over 100 by
   * 0.25. The other lasers' steps are from GMapping's reader, those of a Hokuyo from SCIP 2.0 (page
   * 4).
   */
  private static final Map<Integer, KnownLaser> KNOWN =
      Stream.of(
              new KnownLaser(1, HALF_TURN / 180, 0, ""),
              new KnownLaser(180, HALF_TURN / 180, -HALF_TURN / 2, ""),
              new KnownLaser(181, HALF_TURN / 180, -HALF_TURN / 2, ""),
              new KnownLaser(
                  360,
                  HALF_TURN / 360,
                  -HALF_TURN / 2,
                  "as a SICK LMS has by 0.5 degrees, though an LDS-01 and an RPLIDAR A1, which look"
                      + " all around, have as many"),
              new KnownLaser(361, HALF_TURN / 360, -HALF_TURN / 2, ""),
              new KnownLaser(
                  400,
                  HALF_TURN / 720,
                  -200 * HALF_TURN / 720,
                  "as a SICK LMS has by 0.25 degrees, though an RPLIDAR A2, which looks all around,"
                      + " has as many"),
              new KnownLaser(401, HALF_TURN / 720, -200 * HALF_TURN / 720, ""),
              new KnownLaser(
                  540,
                  HALF_TURN / 360,
                  -0.75 * HALF_TURN,
                  "as a SICK LMS1xx or a Hokuyo UTM has by 0.5 degrees, less the last beam"),
              new KnownLaser(
                  541,
                  HALF_TURN / 360,
                  -0.75 * HALF_TURN,
                  "as a SICK LMS1xx or a Hokuyo UTM has by 0.5 degrees"),
              new KnownLaser(682, STEP_OF_1024, -340.5 * STEP_OF_1024, "as a Hokuyo URG-04LX has"),
              new KnownLaser(683, STEP_OF_1024, -341 * STEP_OF_1024, "as a Hokuyo URG-04LX has"),
              new KnownLaser(769, STEP_OF_1024, -384 * STEP_OF_1024, "as a Hokuyo UHG-08LX has"),
              new KnownLaser(
                  1081,
                  HALF_TURN / 720,
                  -0.75 * HALF_TURN,
                  "as a Hokuyo UTM or a SICK LMS1xx has by 0.25 degrees"))
          .collect(Collectors.toUnmodifiableMap(KnownLaser::count, Function.identity()));

  /**
   * Least field of view by the log's step, degrees: a smaller one means that the step is in
   * radians.
   */
  private static final double MIN_DEGREES = 10;

  private static final int MAX_NOTICES = 3;

  /** Field of view by the settings, degrees; 0 if not set. */
  private final double degrees;

  private final CarmenParameters parameters;
  private final Map<Integer, Integer> linesByBeams = new TreeMap<>();

  /**
   * @param parameters the log's parameters; angles are right once all parameter lines were read
   */
  public FrontLaserAngles(CarmenSettings settings, CarmenParameters parameters) {
    this.degrees = settings.flaserDegrees();
    this.parameters = parameters;
  }

  /** Returns the angles of a scan's beams by their number. */
  BeamAngles of(int beams) {
    if (degrees > 0 && beams > 1) {
      double all = StrictMath.toRadians(degrees);
      return new BeamAngles(-all / 2, all / (degrees == 360 ? beams : beams - 1));
    }
    KnownLaser knownLaser = KNOWN.get(beams);
    OptionalDouble logged = logged(beams);
    boolean isKnown =
        knownLaser != null
            && (knownLaser.isSure() || knownLaser.hasStep(logged.orElse(knownLaser.step())));
    if (logged.isPresent() && !isKnown) {
      return byStep(beams, logged.getAsDouble());
    }
    return knownLaser != null
        ? knownLaser.beams()
        : new BeamAngles(-HALF_TURN / 2, HALF_TURN / (beams - 1));
  }

  /**
   * Returns the step by the log's parameter, radians; empty if all beams together would look over
   * too little, or over more than a whole turn.
   */
  private OptionalDouble logged(int beams) {
    OptionalDouble resolution = parameters.frontResolution();
    double each = resolution.orElse(0);
    double all = beams * each;
    return all > MIN_DEGREES && all <= 360 + each / 2
        ? OptionalDouble.of(StrictMath.toRadians(each))
        : OptionalDouble.empty();
  }

  /** Returns angles with the middle beam ahead; if the beams look all around, beginning behind. */
  private static BeamAngles byStep(int beams, double step) {
    boolean isWholeTurn = StrictMath.abs(beams * step - 2 * HALF_TURN) <= step / 2;
    return isWholeTurn
        ? new BeamAngles(-HALF_TURN, 2 * HALF_TURN / beams)
        : new BeamAngles(-(beams - 1) * step / 2, step);
  }

  /** Counts a line of the log by its number of beams. */
  public void add(int beams) {
    linesByBeams.merge(beams, 1, Integer::sum);
  }

  /** Returns the assumptions that were made, as sentences for people, the most frequent first. */
  public List<String> notices() {
    if (degrees > 0) {
      return linesByBeams.isEmpty()
          ? List.of(
              CarmenSettings.FLASER_DEGREES
                  + " changes nothing: the log has no readable FLASER lines")
          : List.of();
    }
    List<String> all =
        linesByBeams.entrySet().stream()
            .sorted(Comparator.comparing(each -> -each.getValue()))
            .filter(each -> !why(each.getKey()).isEmpty())
            .map(each -> notice(each.getKey(), each.getValue()))
            .toList();
    List<String> notices = new ArrayList<>(all.subList(0, Math.min(all.size(), MAX_NOTICES)));
    if (all.size() > MAX_NOTICES) {
      notices.add("the same of " + (all.size() - MAX_NOTICES) + " other numbers of beams");
    }
    return notices;
  }

  private String notice(int beams, int lines) {
    return String.format(
        Locale.ROOT,
        "FLASER lines do not tell their field of view: for those of %d beams (%d lines) %.4g degrees"
            + " are taken, %s; if it is another, say so by --set %s=...",
        beams,
        lines,
        StrictMath.toDegrees(of(beams).step()) * (beams - 1),
        why(beams),
        CarmenSettings.FLASER_DEGREES);
  }

  /** Returns the reason for the assumed angles, for people; "" if nothing need be noted. */
  private String why(int beams) {
    KnownLaser knownLaser = KNOWN.get(beams);
    OptionalDouble logged = logged(beams);
    if (logged.isPresent() && (knownLaser == null || knownLaser.hasStep(logged.getAsDouble()))) {
      return "";
    }
    if (logged.isPresent() && !knownLaser.isSure()) {
      return String.format(
          Locale.ROOT,
          "as PARAM %s says, though lasers with so many beams have them by %.4g degrees",
          CarmenParameters.RESOLUTION,
          StrictMath.toDegrees(knownLaser.step()));
    }
    if (beams == 1) {
      return "";
    }
    String name = knownLaser == null ? "which is a guess" : knownLaser.name();
    if (parameters.frontResolution().isPresent()) {
      return disagreement(beams, name);
    }
    return name.isEmpty() ? "as a SICK LMS with so many beams has" : name;
  }

  private String disagreement(int beams, String name) {
    double each = parameters.frontResolution().getAsDouble();
    return String.format(
        Locale.ROOT,
        "%s, and not by the %s of PARAM %s, by which they would look over %.4g degrees in all",
        name.isEmpty() ? "as lasers with so many beams have" : name,
        each,
        CarmenParameters.RESOLUTION,
        beams * each);
  }
}
