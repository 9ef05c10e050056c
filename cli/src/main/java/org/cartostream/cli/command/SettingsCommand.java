package org.cartostream.cli.command;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.ConfigurationTemplate;
import org.cartostream.settings.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code cartostream settings}. */
@Command(
    name = "settings",
    description = {
      "Print the whole configuration: every key, its default, unit and meaning.",
      "",
      "A key can also be given by the environment: CARTOSTREAM_SLAM_PARTICLES=60 is"
          + " --set slam.particles=60, CARTOSTREAM_SLAM_MATCHER_STEP_METRES its key"
          + " slam.matcher.stepMetres.",
      ""
    },
    footer = {
      "",
      "Example: keep a file of your own, and use it.",
      "  cartostream settings > my.yaml",
      "  cartostream replay killian --config my.yaml",
      "  cartostream settings --config my.yaml --diff   what it changes"
    })
public final class SettingsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--diff",
      description =
          "Print only what --config, the environment and --set make different from the defaults.")
  private boolean diff;

  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    RootSettings settings = configuration.settings(Map.of());
    if (diff) {
      Map<String, String> defaults = Settings.defaults(RootSettings.class).shown();
      settings
          .shown()
          .forEach(
              (key, value) -> {
                if (!value.equals(defaults.get(key))) {
                  out.println(
                      "%s: %s  # default: %s".formatted(key, value, defaults.get(key)).strip());
                }
              });
    } else {
      out.print(ConfigurationTemplate.text(RootSettings.class));
    }
    out.flush();
    return 0;
  }
}
