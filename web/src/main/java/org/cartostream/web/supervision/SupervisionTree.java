package org.cartostream.web.supervision;

import java.util.List;

/**
 * The tree of services, hosts, processes, tasks and robots, with the last sign of life of each, and
 * what happened lately.
 *
 * @param trouble why nothing is heard of anybody, in a sentence; empty if all is well
 * @param events what happened, the latest first
 */
public record SupervisionTree(String trouble, List<Service> services, List<Event> events) {

  /** A service, by its name. */
  public record Service(String name, List<Host> hosts) {}

  /** A host with processes of the service. */
  public record Host(String name, List<Worker> workers) {}

  /**
   * A process.
   *
   * @param process its number on the host
   * @param silentSeconds since its last sign of life
   */
  public record Worker(long process, LifeSign sign, double silentSeconds, List<Task> tasks) {}

  /**
   * A task.
   *
   * @param component what it is: {@code Matchers}
   * @param number among its component's tasks, from 0
   * @param silentSeconds since it was seen waiting, or beginning with another message
   * @param robots of whose runs it has a state
   * @param moreRobots how many there are beside these
   */
  public record Task(
      String component,
      int number,
      LifeSign sign,
      double silentSeconds,
      List<String> robots,
      int moreRobots) {}

  /** A kind of event. */
  public enum Kind {
    STARTED,
    RESTARTED,
    LATE,
    GONE,
    BACK,
    ENDED,
    RESTORED
  }

  /** Something that happened. */
  public record Event(Kind kind, String service, String sentence, double secondsAgo) {}
}
