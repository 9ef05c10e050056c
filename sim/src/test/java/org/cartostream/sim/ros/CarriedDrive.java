package org.cartostream.sim.ros;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.trajectory.StampedPose;

/** Drives of robots that are carried while odometry stands, and the search for them. */
final class CarriedDrive {

  /** So many readings behind the gap: 15 m. */
  static final int BEHIND = 60;

  static final FilterSettings FILTER =
      Settings.build(FilterSettings.class, Map.of("particles", "20"));

  private CarriedDrive() {}

  static CarriedRobotSearch search() {
    RayTracedMap empty = new RayTracedMap(FILTER.cellMetres());
    LocalisationSettings localisation = Settings.defaults(LocalisationSettings.class);
    return new CarriedRobotSearch(FILTER, localisation, empty, true, System.out::println);
  }

  /** A drive's beginning, and then readings of an earlier part of it, as odometry joins them. */
  static Recording of(Recording whole, int at, int to) {
    List<Reading> readings = new ArrayList<>(whole.readings().subList(0, at));
    List<StampedPose> reference = new ArrayList<>(whole.reference().subList(0, at));
    Pose before = readings.get(at - 1).odometry();
    Pose beside = whole.readings().get(to).odometry();
    for (Reading each : whole.readings().subList(to, to + BEHIND)) {
      Pose odometry = before.then(beside.to(each.odometry()));
      readings.add(new Reading(0, odometry, each.scan())); // Who drives gives it its stamp.
    }
    reference.addAll(whole.reference().subList(to, to + BEHIND));
    return new Recording(readings, reference);
  }

  /** An earlier reading some 5 m from another. */
  static int away(Recording whole, int from) {
    Pose here = whole.reference().get(from).pose();
    return IntStream.range(0, from - BEHIND)
        .filter(i -> Math.abs(whole.reference().get(i).pose().distance(here) - 5) < 0.5)
        .findFirst()
        .orElseThrow();
  }
}
