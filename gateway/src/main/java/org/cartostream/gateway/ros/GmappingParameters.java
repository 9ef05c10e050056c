package org.cartostream.gateway.ros;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.node.RosNode;

/**
 * The parameters of a launch file written for slam_gmapping (wiki.ros.org/gmapping), as this
 * program's settings.
 *
 * @param settings by key, as the configuration file has them
 * @param ignored parameters that are set and have no meaning here, in slam_gmapping's names
 */
public record GmappingParameters(Map<String, String> settings, List<String> ignored) {

  /** slam_gmapping's private parameters that mean the same here. */
  private static final Map<String, String> KEYS = new LinkedHashMap<>();

  static {
    KEYS.put("base_frame", "ros.baseFrame");
    KEYS.put("odom_frame", "ros.odomFrame");
    KEYS.put("map_frame", "ros.mapFrame");
    KEYS.put("maxUrange", "ros.maxUsableRangeMetres");
    KEYS.put("linearUpdate", "ros.linearUpdateMetres");
    KEYS.put("angularUpdate", "ros.angularUpdateRadians");
    KEYS.put("temporalUpdate", "ros.temporalUpdateSeconds");
    KEYS.put("throttle_scans", "ros.throttleScans");
    KEYS.put("transform_publish_period", "ros.transformPeriodSeconds");
    KEYS.put("tf_delay", "ros.transformDelaySeconds");
    KEYS.put("occ_thresh", "ros.occupiedShare");
    KEYS.put("particles", "slam.particles");
    KEYS.put("map_update_interval", "topology.mapIntervalSeconds");
  }

  /** Those that tune slam_gmapping's own matcher, motion model and map. */
  private static final List<String> WITHOUT_MEANING =
      List.of(
          "inverted_laser",
          "maxRange",
          "sigma",
          "kernelSize",
          "lstep",
          "astep",
          "iterations",
          "lsigma",
          "ogain",
          "lskip",
          "minimumScore",
          "srr",
          "srt",
          "str",
          "stt",
          "resampleThreshold",
          "xmin",
          "ymin",
          "xmax",
          "ymax",
          "delta",
          "llsamplerange",
          "llsamplestep",
          "lasamplerange",
          "lasamplestep");

  public GmappingParameters {
    settings = Map.copyOf(settings);
    ignored = List.copyOf(ignored);
  }

  /**
   * Reads the node's private parameters.
   *
   * @param given parameters from the command line, by slam_gmapping's names; they win
   * @throws org.cartostream.ros.RosException if the master does not answer
   */
  public static GmappingParameters read(RosNode node, Map<String, String> given) {
    Map<String, String> settings = new LinkedHashMap<>();
    KEYS.forEach(
        (name, key) -> {
          String value = given.get(name);
          if (value == null) {
            value = node.parameter("~" + name).orElse(null);
          }
          if (value != null) {
            settings.put(key, value);
          }
        });
    List<String> ignored = new ArrayList<>();
    for (String name : WITHOUT_MEANING) {
      if (given.containsKey(name) || node.parameter("~" + name).isPresent()) {
        ignored.add(name);
      }
    }
    given.keySet().stream()
        .filter(name -> !KEYS.containsKey(name) && !WITHOUT_MEANING.contains(name))
        .forEach(ignored::add);
    return new GmappingParameters(settings, ignored);
  }
}
