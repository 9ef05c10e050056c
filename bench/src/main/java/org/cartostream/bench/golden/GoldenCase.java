package org.cartostream.bench.golden;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.files.DataSets;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;

/**
 * Prefix of a log and the settings under which its answer is frozen; a line of {@link GoldenFile}.
 * All settings that are not named here have their defaults.
 *
 * @param name name of the case, and the robot's id, on which random numbers depend
 * @param log name of a data set, or a file relative to the repository
 * @param readings number of scans that are taken from the log
 * @param particles number of the filter's particles
 * @param seed seed of all random numbers
 * @param resampleBelow share of the particles; with a smaller Neff they are resampled
 * @param hashes frozen answer; empty if there is none yet
 */
record GoldenCase(
    String name,
    String log,
    int readings,
    int particles,
    long seed,
    double resampleBelow,
    Optional<GoldenHashes> hashes) {

  GoldenCase withHashes(GoldenHashes answer) {
    return new GoldenCase(name, log, readings, particles, seed, resampleBelow, Optional.of(answer));
  }

  /** Returns the whole configuration for one engine. */
  RootSettings settings(GoldenEngine engine) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("slam.particles", Integer.toString(particles));
    values.put("slam.seed", Long.toString(seed));
    values.put("slam.resampleBelow", Double.toString(resampleBelow));
    values.putAll(engine.settings());
    return Settings.build(RootSettings.class, values);
  }

  /**
   * Returns the log's file; a data set is fetched if it is not in the cache yet.
   *
   * @param root folder of the repository
   * @throws ExitException if there is no such file
   */
  public Path file(Path root, DataSets dataSets) {
    if (dataSets.list().containsKey(log)) {
      return dataSets.fetch(log);
    }
    Path file = root.resolve(log).normalize();
    if (!Files.isRegularFile(file)) {
      throw ExitException.failed("there is no log file '" + file + "'");
    }
    return file;
  }
}
