package org.cartostream.run.engine;

import java.nio.file.Path;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;

/**
 * A map that a robot is to be found in.
 *
 * @param map its YAML file
 * @param start where the robot is at first, in the map's frame; empty if nobody knows
 */
public record KnownPlace(Path map, Optional<Pose> start) {}
