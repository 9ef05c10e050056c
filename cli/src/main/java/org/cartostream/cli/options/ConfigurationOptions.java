package org.cartostream.cli.options;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.connection.BrokerAddress;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.ConfigurationFile;
import org.cartostream.settings.Settings;
import picocli.CommandLine.Option;

/**
 * Options for settings, from which the configuration is built. Sources in ascending precedence: the
 * defaults, the configuration file, the environment ({@code CARTOSTREAM_SLAM_PARTICLES}), {@code
 * --set}, and options for single settings such as {@code --particles}.
 */
public final class ConfigurationOptions {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "YAML: settings that differ from the defaults; 'cartostream settings' prints all.")
  private Path file;

  @Option(
      names = "--set",
      paramLabel = "key=value",
      arity = "1",
      description = "One setting by its key; may be repeated:%n--set slam.particles=30")
  private List<String> assignments = List.of();

  /**
   * Builds the configuration from all sources.
   *
   * @param flags values of the options for single settings, by key; null for an option that was not
   *     given
   * @throws ExitException if a key is unknown, or a value is invalid for its key
   */
  public RootSettings settings(Map<String, String> flags) {
    return settings(Map.of(), flags);
  }

  /**
   * Builds the configuration from all sources, with other values in place of the defaults.
   *
   * @param given values by key that replace the defaults
   */
  public RootSettings settings(Map<String, String> given, Map<String, String> flags) {
    Map<String, String> values = new LinkedHashMap<>(given);
    if (file != null) {
      values.putAll(read(file));
      build(values, file + ": ");
    }
    values.putAll(assigned());
    flags.forEach(
        (key, value) -> {
          if (value != null) {
            values.put(key, value);
          }
        });
    return build(values, "");
  }

  private Map<String, String> assigned() {
    Map<String, String> assigned = new LinkedHashMap<>(environment());
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      if (equals < 1) {
        throw ExitException.wrongUsage("--set '" + assignment + "': key=value is needed");
      }
      assigned.put(assignment.substring(0, equals).trim(), assignment.substring(equals + 1));
    }
    return assigned;
  }

  private static Map<String, String> environment() {
    try {
      return Settings.fromEnvironment(RootSettings.class, System.getenv(), BrokerAddress.VARIABLES);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage(e.getMessage(), e);
    }
  }

  private static Map<String, String> read(Path file) {
    try {
      return ConfigurationFile.read(file);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage(e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw ExitException.failed(e.getMessage(), e);
    }
  }

  /**
   * Returns the keys with a prefix that {@code --set} or the environment names.
   *
   * @throws ExitException if a {@code --set} has no value
   */
  public List<String> assigned(String prefix) {
    return assigned().keySet().stream().filter(key -> key.startsWith(prefix)).toList();
  }

  private static RootSettings build(Map<String, String> values, String where) {
    try {
      return Settings.build(RootSettings.class, values);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage(where + e.getMessage(), e);
    }
  }
}
