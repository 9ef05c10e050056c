package org.cartostream.cli.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.FilterSizeOptions;
import org.cartostream.cli.options.WebOptions;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.topology.local.LocalService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code cartostream service}: the service alone, on one machine, for robots elsewhere. */
@Command(
    name = "service",
    description = {
      "Serve robots through a broker: the service alone, in this process, until Ctrl-C.",
      "",
      "Any number of gateways may send to the same broker, each robot under its own id. Where one"
          + " machine is not enough, 'cluster up' and 'submit' bring the service onto several.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  cartostream service --broker amqp://service@host --tasks 4",
      "  cartostream gateway --robot tb3 --broker amqp://tb3@host   for the robot",
      "",
      "The broker's password may stand in a file that $CARTOSTREAM_BROKER_PASSWORD_FILE names."
    })
public final class ServiceCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Option(
      names = "--broker",
      paramLabel = "URI",
      description = "amqp(s)://user:password@host:port/vhost of a running broker (broker.uri).")
  private String broker;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The service's name (broker.service), if several share the broker.")
  private String name;

  @Mixin private FilterSizeOptions size;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description =
          "Register there, and watch who leaves%n(registry.zookeeper); 'cartostream robots' lists"
              + " whom it finds.")
  private String zookeeper;

  @Mixin private WebOptions web;
  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    RootSettings wanted = configuration.settings(flags());
    RootSettings settings =
        wanted.withCheckpointsIn(
            Path.of(
                System.getProperty("user.home"),
                ".cartostream",
                "checkpoint",
                wanted.broker().service()));
    if (settings.broker().uri().isEmpty()) {
      throw ExitException.wrongUsage(
          "a service serves through a broker, and none is named; --broker amqp://user@host or"
              + " broker.uri names one");
    }
    parent.logEvents("org.cartostream.topology");
    CountDownLatch end = new CountDownLatch(1);
    shutdownRequest.whenRequested(end::countDown);
    try (LocalService service = LocalService.start(settings.service(settings.broker()));
        WebOptions.Page page =
            web.isAsked() ? web.openFleet(settings.broker(), err()) : WebOptions.Page.NONE) {
      out.println("the service '" + settings.broker().service() + "' runs; Ctrl-C ends it");
      out.flush();
      end.await();
    }
    return shutdownRequest.exitCode();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  private Map<String, String> flags() {
    Map<String, String> flags = new HashMap<>();
    flags.put("broker.uri", broker);
    flags.put("broker.service", name);
    flags.put("registry.zookeeper", zookeeper);
    size.addTo(flags);
    return flags;
  }
}
