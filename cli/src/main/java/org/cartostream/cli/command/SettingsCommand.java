package org.cartostream.cli.command;

import java.util.concurrent.Callable;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.ConfigurationTemplate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs {@code cartostream settings}. */
@Command(
    name = "settings",
    description = "Print the whole configuration: every key, its default, unit and meaning.",
    footer = {
      "",
      "Example: keep a file of your own, and use it.",
      "  cartostream settings > my.yaml",
      "  cartostream replay killian --config my.yaml"
    })
public final class SettingsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(ConfigurationTemplate.text(RootSettings.class));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
