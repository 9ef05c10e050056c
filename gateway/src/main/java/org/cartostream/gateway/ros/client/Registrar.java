package org.cartostream.gateway.ros.client;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps a node registered with its master: looks every second whether the master is there and still
 * knows the node, and registers everything again when it does not, as after a restart.
 *
 * <p>Owns what is to be registered and what is; one thread does it.
 */
final class Registrar implements AutoCloseable {

  /**
   * Something to register.
   *
   * @param subject the topic or service
   * @param register the master's method and what it takes behind the node's name
   * @param unregister likewise
   * @param onDone takes the master's answer
   */
  record Entry(
      String subject, List<Object> register, List<Object> unregister, Consumer<Object> onDone) {}

  private static final long LOOK_MILLIS = 1000;
  private static final long FAREWELL_MILLIS = 2000;

  private final URI master;
  private final String node;
  private final URI address;
  private final Caller caller;
  private final RosListener listener;
  private final List<Entry> wanted = new ArrayList<>();
  private final Set<Entry> done = new HashSet<>();
  private boolean away;
  private boolean known;
  private boolean closed;
  private Thread thread;

  Registrar(URI master, String node, URI address, Caller caller, RosListener listener) {
    this.master = master;
    this.node = node;
    this.address = address;
    this.caller = caller;
    this.listener = listener;
  }

  void start() {
    thread = Threads.start(node + " registers", this::run);
  }

  synchronized void add(Entry entry) {
    wanted.add(entry);
    notifyAll();
  }

  private void run() {
    try {
      while (!isClosed()) {
        reconcile();
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

  private synchronized void await() throws InterruptedException {
    if (!closed && (away || done.containsAll(wanted))) {
      wait(LOOK_MILLIS);
    }
  }

  private void reconcile() throws InterruptedException {
    try {
      if (!isKnown()) {
        done.clear();
      }
      for (Entry entry : open()) {
        register(entry);
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

  private boolean isKnown() throws IOException, InterruptedException {
    try {
      Object there = caller.call(master, "lookupNode", node);
      if (!address.toString().equals(there) && !done.isEmpty()) {
        listener.onShutdown("another node has taken the name " + node + ": " + there);
      }
      return address.toString().equals(there);
    } catch (Caller.Declined unknown) {
      return false;
    }
  }

  private synchronized List<Entry> open() {
    return wanted.stream().filter(entry -> !done.contains(entry)).toList();
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
