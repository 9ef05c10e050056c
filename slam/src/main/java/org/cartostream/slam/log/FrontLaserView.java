package org.cartostream.slam.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the beams of {@code FLASER} lines look, which the lines do not tell: as a setting says, or
 * as the lasers do that have so many beams.
 *
 * <p>Owns the count of lines whose number of beams does not say enough.
 */
final class FrontLaserView {

  private static final double HALF_TURN = StrictMath.PI;
  private static final int MOST_NOTICES = 3;

  /** Degrees, or 0 if nobody says. */
  private final double degrees;

  private final Map<Integer, Integer> assumed = new TreeMap<>();
  private boolean seen;

  FrontLaserView(CarmenSettings settings) {
    this.degrees = settings.flaserDegrees();
  }

  /** From one beam to the next, radians. */
  double step(int beams) {
    if (degrees > 0 && beams > 1) {
      return StrictMath.toRadians(degrees) / (degrees == 360 ? beams : beams - 1);
    }
    return switch (beams) {
      case 1, 180, 181 -> HALF_TURN / 180;
      case 360, 361, 541 -> HALF_TURN / 360;
      case 400, 401, 1081 -> HALF_TURN / 720;
      case 682 -> HALF_TURN / 512;
      default -> HALF_TURN / (beams - 1);
    };
  }

  /** Direction of the first beam, radians. */
  double start(int beams) {
    if (beams == 1) {
      return 0;
    }
    if (degrees > 0) {
      return -StrictMath.toRadians(degrees) / 2;
    }
    return switch (beams) {
      case 400, 401 -> -200 * HALF_TURN / 720;
      case 541, 1081 -> -0.75 * HALF_TURN;
      case 682 -> -681 * HALF_TURN / 1024;
      default -> -HALF_TURN / 2;
    };
  }

  /** A line of the log has so many beams. */
  void see(int beams) {
    seen = true;
    if (degrees == 0 && !isOfOldSick(beams)) {
      assumed.merge(beams, 1, Integer::sum);
    }
  }

  /** The lasers that CARMEN was made with: half a turn by 1 or 0.5 degrees, or 100 by 0.25. */
  private static boolean isOfOldSick(int beams) {
    return switch (beams) {
      case 1, 180, 181, 360, 361, 400, 401 -> true;
      default -> false;
    };
  }

  /** What was taken for granted, for people: the most frequent first. */
  List<String> notices() {
    List<String> notices = new ArrayList<>();
    if (degrees > 0 && !seen) {
      notices.add(
          CarmenSettings.FLASER_DEGREES + " changes nothing: the log has no readable FLASER lines");
    }
    assumed.entrySet().stream()
        .sorted(Comparator.comparing(each -> -each.getValue()))
        .limit(MOST_NOTICES)
        .forEach(each -> notices.add(notice(each.getKey(), each.getValue())));
    if (assumed.size() > MOST_NOTICES) {
      notices.add("the same of " + (assumed.size() - MOST_NOTICES) + " other numbers of beams");
    }
    return notices;
  }

  private String notice(int beams, int lines) {
    return String.format(
        Locale.ROOT,
        "FLASER lines do not tell their field of view: for those of %d beams (%d lines) %.4g degrees"
            + " are taken, %s; if it is another, say so by the setting %s",
        beams,
        lines,
        StrictMath.toDegrees(step(beams)) * (beams - 1),
        like(beams),
        CarmenSettings.FLASER_DEGREES);
  }

  private static String like(int beams) {
    return switch (beams) {
      case 541 -> "as a SICK LMS1xx or a Hokuyo UTM has by 0.5 degrees";
      case 1081 -> "as a Hokuyo UTM or a SICK LMS1xx has by 0.25 degrees";
      case 682 -> "as a Hokuyo URG-04LX has";
      default -> "which is a guess";
    };
  }
}
