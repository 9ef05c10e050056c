package org.cartostream.gateway.ros;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.ros.node.RosNode;

/**
 * The parameters of a launch file written for slam_gmapping (wiki.ros.org/gmapping) or slam_toolbox
 * (github.com/SteveMacenski/slam_toolbox), converted to this program's settings.
 *
 * @param settings values by their key in the configuration file
 * @param ignored parameters that are set and have no meaning here, in their own names
 */
public record LaunchParameters(Map<String, String> settings, List<String> ignored) {

  /**
   * This program's settings keys by the parameter's name: of both programs, of slam_gmapping, of
   * slam_toolbox.
   */
  private static final Map<String, String> KEYS = new LinkedHashMap<>();

  static {
    KEYS.put("base_frame", "ros.baseFrame");
    KEYS.put("odom_frame", "ros.odomFrame");
    KEYS.put("map_frame", "ros.mapFrame");
    KEYS.put("throttle_scans", "ros.throttleScans");
    KEYS.put("transform_publish_period", "ros.transformPeriodSeconds");
    KEYS.put("map_update_interval", "topology.mapIntervalSeconds");
    KEYS.put("maxUrange", "ros.maxUsableRangeMetres");
    KEYS.put("linearUpdate", "ros.linearUpdateMetres");
    KEYS.put("angularUpdate", "ros.angularUpdateRadians");
    KEYS.put("temporalUpdate", "ros.temporalUpdateSeconds");
    KEYS.put("tf_delay", "ros.transformDelaySeconds");
    KEYS.put("occ_thresh", "ros.occupiedShare");
    KEYS.put("particles", "slam.particles");
    KEYS.put("srr", "slam.motion.srr");
    KEYS.put("srt", "slam.motion.srt");
    KEYS.put("str", "slam.motion.str");
    KEYS.put("stt", "slam.motion.stt");
    KEYS.put("delta", "slam.cellMetres");
    KEYS.put("resampleThreshold", "slam.resampleBelow");
    KEYS.put("max_laser_range", "ros.maxUsableRangeMetres");
    KEYS.put("min_laser_range", "slam.readingFilter.minRangeMetres");
    KEYS.put("minimum_travel_distance", "ros.linearUpdateMetres");
    KEYS.put("minimum_travel_heading", "ros.angularUpdateRadians");
    KEYS.put("minimum_time_interval", "ros.minIntervalSeconds");
    KEYS.put("resolution", "slam.cellMetres");
    KEYS.put("use_sim_time", "ros.simulatedTime");
  }

  /** Parameters that are ignored: they tune slam_gmapping's own matcher, or bound its map. */
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
          "xmin",
          "ymin",
          "xmax",
          "ymax",
          "llsamplerange",
          "llsamplestep",
          "lasamplerange",
          "lasamplestep");

  /**
   * slam_toolbox's parameter for what the node does; only mapping is accepted here, because
   * localization is handled before there is a node.
   */
  private static final String MODE = "mode";

  private static final String MAPPING = "mapping";

  /** Parameter for the topic of the laser, which becomes a remapping ({@link #remappings}). */
  private static final String SCAN_TOPIC = "scan_topic";

  public LaunchParameters {
    settings = Map.copyOf(settings);
    ignored = List.copyOf(ignored);
  }

  /**
   * Reads the node's private parameters.
   *
   * @param given parameters from the command line, by slam_gmapping's names; they override the
   *     node's
   * @throws RosException if the master does not answer, or the mode is not mapping
   */
  public static LaunchParameters read(RosNode node, Map<String, String> given) {
    String mode = given.getOrDefault(MODE, MAPPING);
    if (!mode.equals(MAPPING)) {
      throw new RosException(
          "mode is '" + mode + "'; only '" + MAPPING + "' and 'localization' can be done here");
    }
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
        .filter(name -> !name.equals(MODE) && !name.equals(SCAN_TOPIC))
        .forEach(ignored::add);
    return new LaunchParameters(settings, ignored);
  }

  /**
   * Returns the remappings that parameters ask for: topic names of the robot by topic names of this
   * program.
   */
  public static Map<String, String> remappings(Map<String, String> given) {
    return given.containsKey(SCAN_TOPIC) ? Map.of("scan", given.get(SCAN_TOPIC)) : Map.of();
  }
}
