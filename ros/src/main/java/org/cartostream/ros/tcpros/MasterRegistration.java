package org.cartostream.ros.tcpros;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.ros.xmlrpc.XmlRpcClient;

/**
 * Keeps a node registered with its master: checks regularly whether the master is there and still
 * knows the node, and registers everything again when it does not, as after a restart. Once the
 * graph wants the node to end, as when another has taken its name, it checks and registers no more.
 *
 * <p>The master announces a new publisher of a topic only once, which an unreachable node misses.
 * So subscriptions are registered again now and then, to get the publishers in the answer; for the
 * master this changes nothing.
 *
 * <p>Owns the wanted and the completed registrations, the thread that makes them, and whether the
 * node is to end.
 */
final class MasterRegistration implements AutoCloseable {

  /**
   * An entry to be registered with the master.
   *
   * @param subject the topic or service
   * @param register the master's method, and its arguments behind the node's name
   * @param unregister method and arguments for removing the entry
   * @param onDone takes the master's answer
   * @param again true to register the entry again and again for the answer
   */
  record Registration(
      String subject,
      List<Object> register,
      List<Object> unregister,
      Consumer<Object> onDone,
      boolean again) {}

  /**
   * Times of checking and registering.
   *
   * @param check period of checks of the master
   * @param again period of repeated registrations
   */
  record Intervals(Duration check, Duration again) {}

  private static final long UNREGISTER_MILLIS = 2000;

  private final URI master;
  private final String node;
  private final URI address;
  private final XmlRpcClient xmlRpcClient;
  private final RosNodeListener listener;
  private final Intervals intervals;
  private final List<Registration> wanted = new ArrayList<>();
  private final Set<Registration> done = new HashSet<>();
  private long askedNanos = System.nanoTime();
  private boolean away;
  private boolean known;
  private boolean ended;
  private boolean closed;
  private Thread thread;

  MasterRegistration(
      URI master,
      String node,
      URI address,
      XmlRpcClient xmlRpcClient,
      RosNodeListener listener,
      Intervals intervals) {
    this.master = master;
    this.node = node;
    this.address = address;
    this.xmlRpcClient = xmlRpcClient;
    this.listener = listener;
    this.intervals = intervals;
  }

  void start() {
    thread = NodeThreads.start(node + " registers", this::run);
  }

  synchronized void add(Registration registration) {
    wanted.add(registration);
    notifyAll();
  }

  /**
   * Ends the node at the request of another node. Only the first end is reported to the listener.
   * Thread-safe.
   */
  void end(String why) {
    if (isFirstEnd()) {
      listener.onShutdown(why);
    }
  }

  /**
   * Ends the node because another node has taken its name. Only the first end is reported to the
   * listener. Thread-safe.
   */
  void endForAnother(String why) {
    if (isFirstEnd()) {
      listener.onFailure(why);
    }
  }

  private synchronized boolean isFirstEnd() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  private void run() {
    try {
      while (!isClosed()) {
        if (!isEnded()) {
          reconcile();
        }
        await();
      }
      unregisterAll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean isEnded() {
    return ended;
  }

  private synchronized void await() throws InterruptedException {
    if (!closed && (ended || away || done.containsAll(wanted))) {
      wait(intervals.check().toMillis());
    }
  }

  private void reconcile() throws InterruptedException {
    try {
      String there = nameHolder();
      boolean isOurs = address.toString().equals(there);
      if (!isOurs && !there.isEmpty() && !done.isEmpty()) {
        endForAnother("another node has taken the name " + node + ": " + there);
        return;
      }
      if (!isOurs) {
        done.clear();
      }
      boolean again = System.nanoTime() - askedNanos >= intervals.again().toNanos();
      for (Registration registration : open(again)) {
        register(registration);
      }
      if (again) {
        askedNanos = System.nanoTime();
      }
      onMasterBack();
    } catch (IOException e) {
      away = true;
      listener.onMasterAway(
          "no ROS master answers at " + master + " (" + reason(e) + "); trying again");
    }
  }

  /**
   * Returns an exception's message, or its class name: the JDK's exception of a refused connection
   * has no message.
   */
  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private void onMasterBack() {
    if (away || !known) {
      away = false;
      known = true;
      listener.onMasterBack();
    }
  }

  /** Asks the master for the address of the node with this node's name; empty if there is none. */
  private String nameHolder() throws IOException, InterruptedException {
    try {
      return xmlRpcClient.call(master, "lookupNode", node).toString();
    } catch (XmlRpcClient.DeclinedException unknown) {
      return "";
    }
  }

  private synchronized List<Registration> open(boolean again) {
    return wanted.stream()
        .filter(registration -> !done.contains(registration) || (again && registration.again()))
        .toList();
  }

  private void register(Registration registration) throws IOException, InterruptedException {
    try {
      registration.onDone().accept(call(registration.register()));
    } catch (XmlRpcClient.DeclinedException e) {
      listener.onTrouble(registration.subject(), e.getMessage());
    }
    done.add(registration);
  }

  private Object call(List<Object> methodAndParameters) throws IOException, InterruptedException {
    Object[] parameters = methodAndParameters.toArray();
    return xmlRpcClient.call(
        master, (String) parameters[0], Arrays.copyOfRange(parameters, 1, parameters.length));
  }

  private void unregisterAll() throws InterruptedException {
    try {
      for (Registration registration : done) {
        call(registration.unregister());
      }
    } catch (IOException e) {
      // The master is away: nobody is left to unregister from.
    }
  }

  /** Unregisters everything; waits for the master only a short time. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join(UNREGISTER_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }
}
