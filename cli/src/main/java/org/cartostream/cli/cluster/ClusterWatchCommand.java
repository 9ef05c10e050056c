package org.cartostream.cli.cluster;

import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.ResponseFeed;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.run.exit.ExitException;
import org.cartostream.web.fleet.ObservedWorkers;
import org.cartostream.web.state.ViewerFeed;
import org.cartostream.web.supervision.LifeSign;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.supervision.SupervisionTree;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code cartostream cluster watch}. */
@Command(
    name = "watch",
    description = {
      "Who is alive: hosts, processes, tasks and robots, each second until Ctrl-C.",
      "",
      "Below it stands what happened since it began: who was late, gone, back or started in"
          + " another's place, and which runs were restored.",
      "",
      "A process is late 1.5 s after its last sign of life, and gone after 6 s; a task",
      "is late if it has handled one message for 1.5 s.",
      ""
    })
final class ClusterWatchCommand extends ClusterSubcommand {

  /**
   * System property with the terminal's width; set by the launcher if the output goes to a
   * terminal.
   */
  private static final String COLUMNS = "cartostream.columns";

  private static final String CLEAR = "\033[H\033[2J";

  /**
   * Time before the first tree is printed, milliseconds: four heartbeats, after which all live
   * workers have been heard.
   */
  private static final long FIRST_MILLIS = 2_000;

  @Option(names = "--json", description = "Print each as a line of JSON.")
  private boolean json;

  @Option(
      names = "--once",
      description = "Print it once, after 2 s; end with 1 if one heard of is late.")
  private boolean once;

  @Override
  int run(Cluster cluster, PrintWriter out) throws InterruptedException {
    Supervision supervision = new Supervision();
    ObservedWorkers workers = new ObservedWorkers(supervision);
    BrokerSettings broker = cluster.access().brokerForService(BrokerSettings.defaults());
    try (ResponseFeed feed =
        ResponseFeed.open(broker, BrokerNames.EVERY_WORKER, workers, workers)) {
      TimeUnit.MILLISECONDS.sleep(FIRST_MILLIS);
      if (once) {
        SupervisionTree tree = supervision.tree();
        print(tree, out);
        return areAllAlive(tree) ? 0 : ExitException.FAILED;
      }
      while (true) {
        print(supervision.tree(), out);
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (BrokerException e) {
      throw ExitException.failed(e.getMessage(), e);
    }
  }

  private void print(SupervisionTree tree, PrintWriter out) {
    if (json) {
      out.println(ViewerFeed.json(tree));
    } else {
      boolean clears = !once && Integer.getInteger(COLUMNS, 0) > 0;
      out.println(
          (clears ? CLEAR : "") + SupervisionText.of(tree, LocalTime.now(ZoneId.systemDefault())));
    }
    out.flush();
  }

  private static boolean areAllAlive(SupervisionTree tree) {
    return tree.trouble().isEmpty()
        && !tree.services().isEmpty()
        && tree.services().stream()
            .flatMap(service -> service.hosts().stream())
            .flatMap(host -> host.workers().stream())
            .flatMap(worker -> worker.tasks().stream())
            .allMatch(task -> task.sign() == LifeSign.HERE);
  }
}
