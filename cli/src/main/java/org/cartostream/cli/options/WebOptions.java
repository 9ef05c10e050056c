package org.cartostream.cli.options;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.ResponseFeed;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.web.fleet.ObservedFleet;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.playback.Playback;
import org.cartostream.web.server.WebAddress;
import org.cartostream.web.server.WebServer;
import org.cartostream.web.state.ObservedRun;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.viewer.ShownRuns;
import picocli.CommandLine.Option;

/** Options that show a run on a page for browsers. */
public final class WebOptions {

  /**
   * System property with the terminal's width. If it is set, there is a terminal from which
   * somebody can press Ctrl-C.
   */
  private static final String COLUMNS = "cartostream.columns";

  @Option(
      names = "--web",
      paramLabel = "HOST:PORT",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Show map and pose in a browser while they grow; default: 127.0.0.1:8765. Port 0 takes any"
              + " that is free. At an address that others can reach, the page has a token, which is"
              + " printed with it. On a terminal the page stays until Ctrl-C.")
  private String web;

  @Option(
      names = "--web-tls",
      paramLabel = "DIR",
      description =
          "Serve the page by HTTPS, with the certificate and the key in this folder, as 'cluster up"
              + " --secure' makes one for each host. The page of a secured cluster needs it at an"
              + " address that others can reach.")
  private Path tls;

  /** Page of one run; has no effect if no page was asked for. */
  public static final class Page implements AutoCloseable {

    /** Page of a run for which no page was asked for. */
    public static final Page NONE = new Page(Optional.empty(), List.of(), Optional.empty());

    private final Optional<WebServer> server;
    private final List<RunObserver> observers;
    private final Optional<ResponseFeed> answers;

    private Page(
        Optional<WebServer> server, List<RunObserver> observers, Optional<ResponseFeed> answers) {
      this.server = server;
      this.observers = observers;
      this.answers = answers;
    }

    /** Returns the observers of the run. */
    public List<RunObserver> observers() {
      return observers;
    }

    /**
     * Keeps showing the ended run until Ctrl-C, if there is a terminal on which somebody can press
     * it.
     */
    public void stay(ShutdownRequest shutdownRequest, PrintWriter err) {
      if (server.isEmpty() || Integer.getInteger(COLUMNS, 0) == 0 || shutdownRequest.requested()) {
        return;
      }
      err.println("the page stays at " + server.get().url() + " until Ctrl-C");
      await(shutdownRequest);
    }

    /** Waits for Ctrl-C. */
    public void await(ShutdownRequest shutdownRequest) {
      CountDownLatch ended = new CountDownLatch(1);
      shutdownRequest.whenRequested(ended::countDown);
      try {
        ended.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      answers.ifPresent(ResponseFeed::close);
      server.ifPresent(WebServer::close);
    }
  }

  /** Returns true if a page was asked for. */
  public boolean isAsked() {
    return web != null;
  }

  /**
   * Opens the page and prints its address.
   *
   * @param shutdownRequest request that the page's button makes
   */
  public Page open(ShutdownRequest shutdownRequest, PrintWriter err) {
    if (!isAsked()) {
      return Page.NONE;
    }
    Runnable finish = () -> shutdownRequest.request(ShutdownRequest.BY_CTRL_C);
    checkTls("");
    return serve(Map.of("finish", finish), err);
  }

  /** Opens the page of an ended run, at the default address if no address is given. */
  public Page openFinished(PrintWriter err) {
    return serve(Map.of(), err);
  }

  /** Opens the page that plays a recorded run, at the default address if no address is given. */
  public Page openRecorded(Playback playback, PrintWriter err) {
    return serve((address, state) -> WebServer.start(address, state, playback), err);
  }

  /** Opens the page of all robots of a service, which shows the service's answers. */
  public Page openFleet(BrokerSettings broker, PrintWriter err) {
    checkTls(broker.tls());
    ShownRuns runs = new ShownRuns();
    Supervision supervision = new Supervision();
    ObservedFleet fleet = new ObservedFleet(runs, supervision);
    WebServer server =
        start((address, state) -> WebServer.start(address, runs, supervision), new ObservedRun());
    try {
      Page page =
          new Page(
              Optional.of(server),
              List.of(),
              Optional.of(ResponseFeed.open(broker, BrokerNames.EVERY_ANSWER, fleet, fleet)));
      err.println("map and pose: " + server.url());
      return page;
    } catch (BrokerException e) {
      server.close();
      throw ExitException.failed(e.getMessage(), e);
    }
  }

  private interface Start {
    WebServer at(WebAddress address, ObservedRun state) throws IOException;
  }

  private Page serve(Map<String, Runnable> buttons, PrintWriter err) {
    return serve((address, state) -> WebServer.start(address, state, buttons), err);
  }

  private Page serve(Start start, PrintWriter err) {
    WebServer server = start(start, new ObservedRun());
    err.println("map and pose: " + server.url());
    return new Page(Optional.of(server), List.of(server.observer()), Optional.empty());
  }

  /**
   * Checks that the page uses TLS if the broker does and other machines can reach the page, so that
   * the broker's data do not cross the network unencrypted.
   *
   * @param ofBroker the setting for the broker's certificates; empty without TLS
   */
  private void checkTls(String ofBroker) {
    try {
      if (tls == null && TlsFolder.of(ofBroker).isPresent() && !address().isLoopback()) {
        throw ExitException.wrongUsage(
            "--web=%s: the broker is secured, and so is the page where others can reach it; --web-tls=DIR names the folder with its certificate.pem and key.pem"
                .formatted(web));
      }
    } catch (UnknownHostException e) {
      throw ExitException.failed("--web: there is no host " + e.getMessage(), e);
    }
  }

  private WebAddress address() {
    try {
      WebAddress named = web == null || web.isEmpty() ? WebAddress.DEFAULT : WebAddress.parse(web);
      return tls == null ? named : named.with(new TlsFolder(tls));
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--web: " + e.getMessage(), e);
    }
  }

  private WebServer start(Start start, ObservedRun state) {
    try {
      return start.at(address(), state);
    } catch (IOException e) {
      throw ExitException.failed("--web: " + e.getMessage(), e);
    }
  }
}
