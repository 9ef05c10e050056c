package org.cartostream.cli.command;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.WebOptions;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.settings.RootSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code cartostream web}: the page of a service's robots, by an observer. */
@Command(
    name = "web",
    description = {
      "Show the robots of a running service in a browser, until Ctrl-C: their maps and poses, as the"
          + " service answers them. It publishes nothing.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  cartostream web --broker amqp://observer.web@host",
      "",
      "'cartostream cluster observer NAME' makes the account of an observer. The broker's password"
          + " may stand in a file that $CARTOSTREAM_BROKER_PASSWORD_FILE names."
    })
public final class WebCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Option(
      names = "--broker",
      paramLabel = "URI",
      description = "amqp(s)://user:password@host:port/vhost of a running broker (broker.uri).")
  private String broker;

  @Mixin private WebOptions web;
  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() {
    Map<String, String> flags = new HashMap<>();
    flags.put("broker.uri", broker);
    RootSettings settings = configuration.settings(flags);
    if (settings.broker().uri().isEmpty()) {
      throw ExitException.wrongUsage(
          "a service is observed through its broker, and none is named; --broker"
              + " amqp://observer.NAME@host or broker.uri names one");
    }
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    try (WebOptions.Page page = web.openFleet(settings.broker(), spec.commandLine().getErr())) {
      page.await(shutdownRequest);
    }
    return shutdownRequest.exitCode();
  }
}
