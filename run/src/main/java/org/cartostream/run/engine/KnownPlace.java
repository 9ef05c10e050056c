package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.checkpoint.RunState;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * A map in which a robot is to be localised.
 *
 * @param map file of the map: its YAML file, or the saved state of the run that made the map
 *     ({@link RunState})
 * @param start the robot's initial pose in the map's frame; empty if it is unknown
 */
public record KnownPlace(Path map, Optional<Pose> start) {

  /**
   * Minimum number of particles to search a whole map without a warning; with 20 particles, robots
   * were found metres away from their true poses.
   */
  private static final int MIN_PARTICLES = 300;

  /**
   * Reads the map; returns the localisation settings, map and initial pose that a service needs for
   * the robot.
   */
  public LocalisationAttachment localisation(LocalisationSettings settings) throws IOException {
    ServerMap known = read();
    try {
      start.ifPresent(known::requireFreePlace);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--at: " + e.getMessage(), e);
    }
    try {
      return new LocalisationAttachment(known, settings, start);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--localise " + map + ": " + e.getMessage(), e);
    }
  }

  /** Returns the settings that must not change when the run is resumed, key to value. */
  public Map<String, String> identity(LocalisationSettings settings) {
    Map<String, String> identity = ServiceSettings.identity(settings);
    identity.put("--localise", map.toString());
    identity.put("--at", start.map(Object::toString).orElse("anywhere"));
    return identity;
  }

  /** Returns the files that contain the map. */
  public List<Path> files() throws IOException {
    return RunState.isOne(map) ? List.of(map) : List.of(map, ServerMap.picture(map));
  }

  /** Returns notes for people on the map, and on the search for a robot in the map. */
  public List<String> notes(LocalisationSettings settings) throws IOException {
    List<String> notes = new ArrayList<>(RunState.isOne(map) ? List.of() : ServerMap.notes(map));
    if (start.isEmpty()) {
      fewParticles(settings).ifPresent(notes::add);
    }
    return notes;
  }

  /**
   * Returns a warning for people if there are too few particles to search the whole map; otherwise
   * empty.
   */
  public static Optional<String> fewParticles(LocalisationSettings settings) {
    return settings.particles() < MIN_PARTICLES
        ? Optional.of(
            "the robot is looked for by %d particles, which may find it where it is not; localisation.particles=2000 is the default, and %d are the least"
                .formatted(settings.particles(), MIN_PARTICLES))
        : Optional.empty();
  }

  /**
   * Reads the map. If it is given as a run's state, it is drawn along the run's best path with
   * loops closed.
   */
  public ServerMap read() throws IOException {
    return RunState.isOne(map) ? PriorRun.of(map).map() : ServerMap.read(map);
  }
}
