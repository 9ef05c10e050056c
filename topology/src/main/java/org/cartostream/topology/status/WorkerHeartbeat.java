package org.cartostream.topology.status;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.WorkerMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeat of a worker, sent to observers twice a second through the broker. It lists the
 * tasks of a topology in this process and, for each, the time for which the task has been handling
 * one message, and the runs whose state it has. When all tasks have ended in order, a last
 * heartbeat lists none. The service does not depend on heartbeats; while the broker is away none
 * are sent.
 *
 * <p>Owns the connection to the broker, and the thread that opens it and sends, from the start of a
 * topology's first task in this process to the end of the last.
 */
public final class WorkerHeartbeat {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerHeartbeat.class);

  private static final long PERIOD_MILLIS = 500;

  /** Time between two attempts to open the connection, milliseconds. */
  private static final long PAUSE_MILLIS = 5_000;

  /**
   * Maximum number of messages that the broker has not confirmed, after which none are sent: a
   * further one would only wait behind them.
   */
  private static final int MAX_UNCONFIRMED = 4;

  /**
   * Time to wait for the thread's end, milliseconds; its connection takes up to three seconds to
   * close.
   */
  private static final long CLOSE_MILLIS = 4_000;

  private static final Map<String, WorkerHeartbeat> BY_TOPOLOGY = new ConcurrentHashMap<>();

  private final BrokerSettings broker;
  private final String host;
  private final Map<TaskStatus, Boolean> tasks = new ConcurrentHashMap<>();
  private final Thread thread;
  private long count;

  private WorkerHeartbeat(BrokerSettings broker, String host) {
    this.broker = broker;
    this.host = host;
    thread = new Thread(this::run, "worker-heartbeat");
    thread.setDaemon(true);
  }

  /**
   * Adds a task that has started.
   *
   * @param topology Storm's id of the topology
   * @param host host of this process
   */
  public static void join(String topology, String host, BrokerSettings broker, TaskStatus task) {
    BY_TOPOLOGY.compute(
        topology,
        (name, there) -> {
          WorkerHeartbeat heartbeat = there == null ? new WorkerHeartbeat(broker, host) : there;
          heartbeat.tasks.put(task, true);
          if (there == null) {
            heartbeat.thread.start();
          }
          return heartbeat;
        });
  }

  /** Removes a task that has ended. With the last task the connection is closed. */
  public static void leave(String topology, TaskStatus task) {
    AtomicReference<Thread> ending = new AtomicReference<>();
    BY_TOPOLOGY.computeIfPresent(
        topology,
        (name, heartbeat) -> {
          heartbeat.tasks.remove(task);
          if (!heartbeat.tasks.isEmpty()) {
            return heartbeat;
          }
          ending.set(heartbeat.thread);
          return null;
        });
    if (ending.get() != null) {
      end(ending.get());
    }
  }

  private static void end(Thread thread) {
    thread.interrupt();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (BrokerConnection connection = open()) {
      runUntilInterrupted(connection);
      if (connection.isUp()) {
        publish(connection); // Without tasks, so that the process does not look dead.
      }
    } catch (InterruptedException e) {
      LOG.debug("the heartbeat ends before it has a connection");
    }
  }

  private void runUntilInterrupted(BrokerConnection connection) {
    try {
      while (true) {
        if (connection.isUp() && connection.unconfirmed() < MAX_UNCONFIRMED) {
          publish(connection);
        }
        TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("the heartbeat ends");
    }
  }

  private void publish(BrokerConnection connection) {
    try {
      connection.publish(message());
    } catch (RuntimeException e) { // Too many tasks for one message, or a connection that breaks.
      LOG.debug("no heartbeat", e);
    }
  }

  private BrokerConnection open() throws InterruptedException {
    while (true) {
      try {
        return BrokerConnection.open(broker, "heartbeat of " + host, BrokerListener.NONE);
      } catch (RuntimeException e) { // The worker works without heartbeats.
        LOG.debug("no heartbeat yet", e);
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }

  private Envelope message() {
    String service = broker.service();
    String named = service.substring(0, Math.min(service.length(), RobotId.MAX_CHARACTERS));
    List<WorkerMessage.Task> now = tasks.keySet().stream().map(TaskStatus::now).toList();
    return new Envelope(
        named,
        0,
        ++count,
        TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()),
        new WorkerMessage(
            service,
            host,
            ProcessHandle.current().pid(),
            ManagementFactory.getRuntimeMXBean().getStartTime(),
            now));
  }
}
