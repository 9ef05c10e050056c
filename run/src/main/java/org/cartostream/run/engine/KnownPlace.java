package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.checkpoint.RunState;
import org.cartostream.gateway.session.RobotLocalisation;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * A map in which a robot is to be localised.
 *
 * @param map its YAML file, or the state of the run that made it ({@link RunState})
 * @param start where the robot is at first, in the map's frame; empty if nobody knows
 */
public record KnownPlace(Path map, Optional<Pose> start) {

  /** Some hundreds; with 20, robots were found metres away from where they were. */
  private static final int MIN_PARTICLES = 300;

  /** Returns what a robot's messages to a service say of it. */
  public RobotLocalisation localisation(LocalisationSettings settings) throws IOException {
    ServerMap known = read();
    try {
      start.ifPresent(known::requireFreePlace);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--at: " + e.getMessage(), e);
    }
    try {
      return new RobotLocalisation(known, settings, start);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--localise " + map + ": " + e.getMessage(), e);
    }
  }

  /** Returns what must be the same where a run goes on. */
  public Map<String, String> identity(LocalisationSettings settings) {
    Map<String, String> identity = ServiceSettings.identity(settings);
    identity.put("--localise", map.toString());
    identity.put("--at", start.map(Object::toString).orElse("anywhere"));
    return identity;
  }

  /** The files that the map is in. */
  public List<Path> files() throws IOException {
    return RunState.isOne(map) ? List.of(map) : List.of(map, ServerMap.picture(map));
  }

  /** Returns what people should know of the map, and of looking for a robot in it. */
  public List<String> notes(LocalisationSettings settings) throws IOException {
    List<String> notes = new ArrayList<>(RunState.isOne(map) ? List.of() : ServerMap.notes(map));
    if (start.isEmpty()) {
      fewParticles(settings).ifPresent(notes::add);
    }
    return notes;
  }

  /** A sentence if so few particles hardly find a robot that may be anywhere; empty if not. */
  public static Optional<String> fewParticles(LocalisationSettings settings) {
    return settings.particles() < MIN_PARTICLES
        ? Optional.of(
            "the robot is looked for by %d particles, which may find it where it is not; localisation.particles=2000 is the default, and %d are the least"
                .formatted(settings.particles(), MIN_PARTICLES))
        : Optional.empty();
  }

  /** Reads the map; that of a state is drawn, along the best path with its loops closed. */
  public ServerMap read() throws IOException {
    return RunState.isOne(map) ? PriorRun.of(map).map() : ServerMap.read(map);
  }
}
