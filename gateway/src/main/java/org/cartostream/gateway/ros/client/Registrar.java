package org.cartostream.gateway.ros.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps a node registered with its master: looks every second whether the master is there and still
 * knows the node, and registers everything again when it does not, as after a restart. Once the
 * graph wants the node to end, as when another has taken its name, it looks and registers no more.
 *
 * <p>The master tells but once who publishes a topic anew, and a node that is out of its reach then
 * never hears it. So some entries are registered again now and then, for the sake of the answer; to
 * the master that is as if nothing happened.
 *
 * <p>Owns what is to be registered and what is, in one thread; and whether the node is to end.
 */
final class Registrar implements AutoCloseable {

  /**
   * Something to register.
   *
   * @param subject the topic or service
   * @param register the master's method and what it takes behind the node's name
   * @param unregister likewise
   * @param onDone takes the master's answer
   * @param again true if the answer is of interest later, too
   */
  record Entry(
      String subject,
      List<Object> register,
      List<Object> unregister,
      Consumer<Object> onDone,
      boolean again) {}

  private static final long LOOK_MILLIS = 1000;
  private static final long FAREWELL_MILLIS = 2000;

  private final URI master;
  private final String node;
  private final URI address;
  private final Caller caller;
  private final RosListener listener;
  private final long againNanos;
  private final List<Entry> wanted = new ArrayList<>();
  private final Set<Entry> done = new HashSet<>();
  private long askedNanos = System.nanoTime();
  private boolean away;
  private boolean known;
  private boolean ended;
  private boolean closed;
  private Thread thread;

  /**
   * @param again between two registrations of what is registered again and again
   */
  Registrar(
      URI master, String node, URI address, Caller caller, RosListener listener, Duration again) {
    this.master = master;
    this.node = node;
    this.address = address;
    this.caller = caller;
    this.listener = listener;
    this.againNanos = again.toNanos();
  }

  void start() {
    thread = Threads.start(node + " registers", this::run);
  }

  synchronized void add(Entry entry) {
    wanted.add(entry);
    notifyAll();
  }

  /** From any thread: somebody in the graph wants the node to end. Only the first wish is told. */
  void end(String why) {
    if (isFirstEnd()) {
      listener.onShutdown(why);
    }
  }

  /** From any thread: another node has the name now. As above. */
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
      leave();
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
      wait(LOOK_MILLIS);
    }
  }

  private void reconcile() throws InterruptedException {
    try {
      String there = whoHasTheName();
      boolean isOurs = address.toString().equals(there);
      if (!isOurs && !there.isEmpty() && !done.isEmpty()) {
        endForAnother("another node has taken the name " + node + ": " + there);
        return;
      }
      if (!isOurs) {
        done.clear();
      }
      boolean again = System.nanoTime() - askedNanos >= againNanos;
      for (Entry entry : open(again)) {
        register(entry);
      }
      if (again) {
        askedNanos = System.nanoTime();
      }
      back();
    } catch (IOException e) {
      away = true;
      listener.onMasterAway(
          "no ROS master answers at " + master + " (" + reason(e) + "); trying again");
    }
  }

  /** What the JDK says of a refused connection has no words. */
  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private void back() {
    if (away || !known) {
      away = false;
      known = true;
      listener.onMasterBack();
    }
  }

  /** The address of the node that the master knows by this node's name; empty if it knows none. */
  private String whoHasTheName() throws IOException, InterruptedException {
    try {
      return caller.call(master, "lookupNode", node).toString();
    } catch (Caller.Declined unknown) {
      return "";
    }
  }

  private synchronized List<Entry> open(boolean again) {
    return wanted.stream()
        .filter(entry -> !done.contains(entry) || (again && entry.again()))
        .toList();
  }

  private void register(Entry entry) throws IOException, InterruptedException {
    try {
      entry.onDone().accept(call(entry.register()));
    } catch (Caller.Declined e) {
      listener.onTrouble(entry.subject(), e.getMessage());
    }
    done.add(entry);
  }

  private Object call(List<Object> methodAndParameters) throws IOException, InterruptedException {
    Object[] parameters = methodAndParameters.toArray();
    return caller.call(
        master, (String) parameters[0], Arrays.copyOfRange(parameters, 1, parameters.length));
  }

  private void leave() throws InterruptedException {
    try {
      for (Entry entry : done) {
        call(entry.unregister());
      }
    } catch (IOException e) {
      // The master is away: nobody is left to tell.
    }
  }

  /** Unregisters everything; waits for that only for a moment. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join(FAREWELL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }
}
