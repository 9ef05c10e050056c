package org.cartostream.cli.cluster;

import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;
import org.cartostream.web.supervision.LifeSign;
import org.cartostream.web.supervision.SupervisionTree;

/** Text form of a {@link SupervisionTree}, in which late and lost tasks stand out in capitals. */
final class SupervisionText {

  private static final int MAX_EVENTS = 10;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final StringBuilder text = new StringBuilder();

  private SupervisionText() {}

  /**
   * Returns the text of a tree.
   *
   * @param now time at which the tree was taken
   */
  static String of(SupervisionTree tree, LocalTime now) {
    SupervisionText written = new SupervisionText();
    written.write(tree, now);
    return written.text.toString();
  }

  private void write(SupervisionTree tree, LocalTime now) {
    line("%s%s", TIME.format(now), tree.trouble().isEmpty() ? "" : "  " + tree.trouble());
    if (tree.services().isEmpty()) {
      line("no process of a service is heard of");
    }
    for (SupervisionTree.Service service : tree.services()) {
      line("%s", service.name());
      for (SupervisionTree.Host host : service.hosts()) {
        line("  %s", host.name());
        host.workers().forEach(this::write);
      }
    }
    tree.events().stream()
        .limit(MAX_EVENTS)
        .forEach(
            event ->
                line(
                    "%s  %-9s %s",
                    TIME.format(now.minusNanos((long) (event.secondsAgo() * 1e9))),
                    event.kind().name().toLowerCase(Locale.ROOT),
                    event.sentence()));
  }

  private void write(SupervisionTree.Worker worker) {
    line(
        "    %-22s %s", "process " + worker.process(), said(worker.sign(), worker.silentSeconds()));
    for (SupervisionTree.Task task : worker.tasks()) {
      String robots =
          task.robots().stream().collect(Collectors.joining(" "))
              + (task.moreRobots() > 0 ? " and " + task.moreRobots() + " more" : "");
      line(
          "      %-20s %-14s %s",
          task.component() + " " + task.number(), said(task.sign(), task.silentSeconds()), robots);
    }
  }

  private static String said(LifeSign sign, double silentSeconds) {
    return switch (sign) {
      case HERE -> "here";
      case LATE, GONE -> String.format(Locale.ROOT, "%s %.1f s", sign, silentSeconds);
    };
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
