package org.cartostream.web.supervision;

import java.util.List;

/**
 * Tree of services, hosts, processes, tasks and robots, with the last sign of life of each, and the
 * latest events.
 *
 * @param trouble why no process is heard, or not all tasks are shown, in a sentence; empty if all
 *     is well
 * @param events events, the latest first
 */
public record SupervisionTree(String trouble, List<Service> services, List<Event> events) {

  /** Service, by its name. */
  public record Service(String name, List<Host> hosts) {}

  /** Host with processes of a service. */
  public record Host(String name, List<Worker> workers) {}

  /**
   * Process of a service on a host.
   *
   * @param process process id
   * @param silentSeconds time since the last sign of life
   */
  public record Worker(long process, LifeSign sign, double silentSeconds, List<Task> tasks) {}

  /**
   * Task of a process.
   *
   * @param component the task's component in Storm's topology: {@code Matchers}
   * @param number number among the component's tasks, from 0
   * @param silentSeconds time since the task was last known to wait, or to take another message
   * @param robots robots of whose runs the task has a state
   * @param moreRobots number of further such robots
   */
  public record Task(
      String component,
      int number,
      LifeSign sign,
      double silentSeconds,
      List<String> robots,
      int moreRobots) {}

  /** Kind of event. */
  public enum Kind {
    STARTED,
    RESTARTED,
    LATE,
    GONE,
    BACK,
    ENDED,
    RESTORED
  }

  /** Event of a service, with a sentence for people. */
  public record Event(Kind kind, String service, String sentence, double secondsAgo) {}
}
