package org.cartostream.run.exit;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import sun.misc.Signal;

/**
 * Request that a run end early: by Ctrl-C, by {@code kill}, by a terminal that is closed, or by a
 * test.
 *
 * <p>The first request lets the run write its results. A second request ends the process at once;
 * or it gives up the work that the first one waits for, and a third request ends the process. The
 * signal of a closed terminal never counts as a second request, since a process may receive it
 * twice: from its shell and from the system. Shutdown hooks would not do: they run at the same time
 * as those of Storm and the broker, which close what the results need. Owns the request, its
 * listeners and the effect of a second one; thread-safe.
 */
public final class ShutdownRequest {

  /** Exit code after Ctrl-C. */
  public static final int BY_CTRL_C = 130;

  /** Offset of exit codes: a shell reports 128 + n for a command that was ended by signal n. */
  private static final int SIGNAL_BASE = 128;

  private static final String CLOSED_TERMINAL = "HUP";

  private static final String AT_ONCE = "ends the process at once";

  /**
   * Work that is done at the second request to end.
   *
   * @param sentence predicate for people that says what the work does, after "a second Ctrl-C"
   */
  private record SecondRequest(String sentence, Runnable work) {}

  private final IntConsumer exit;
  private final List<Runnable> listeners = new ArrayList<>();

  /** Work at the second request; null if that ends the process. */
  private SecondRequest secondRequest;

  private int exitCode;

  public ShutdownRequest() {
    this(Runtime.getRuntime()::halt);
  }

  /**
   * @param halts ends the process at once with a given exit code
   */
  ShutdownRequest(IntConsumer halts) {
    this.exit = halts;
  }

  /**
   * Returns a request that is made by Ctrl-C, {@code kill} or a closed terminal.
   *
   * @param err stream on which a signal is confirmed at once, since the end may take a while
   */
  public static ShutdownRequest bySignals(PrintWriter err) {
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    for (String name : List.of("INT", "TERM", CLOSED_TERMINAL)) {
      Signal signal = new Signal(name);
      try {
        Signal.handle(signal, raised -> shutdownRequest.raise(raised, err));
      } catch (IllegalArgumentException e) {
        // The JVM was started with -Xrs: it leaves signals to the system, which ends the process.
        return shutdownRequest;
      }
    }
    return shutdownRequest;
  }

  void raise(Signal signal, PrintWriter err) {
    int code = SIGNAL_BASE + signal.getNumber();
    boolean closed = signal.getName().equals(CLOSED_TERMINAL);
    if (!requested()) {
      request(code);
      if (!closed) {
        print("ending; a second Ctrl-C " + secondRequestSentence(), err);
      }
    } else if (!closed) {
      SecondRequest now = takeSecond();
      if (now == null) {
        exit.accept(code);
      } else {
        print("giving up; a third Ctrl-C " + AT_ONCE, err);
        now.work().run();
      }
    }
  }

  /**
   * Prints from another thread: if the stream's reader has stopped, printing blocks, and would hold
   * up all later signals.
   */
  private static void print(String sentence, PrintWriter err) {
    // The empty line is for terminals, which show ^C on the current line.
    Thread saying = new Thread(() -> err.printf("%n%s%n", sentence).flush(), "confirms a signal");
    saying.setDaemon(true);
    saying.start();
  }

  private synchronized String secondRequestSentence() {
    return secondRequest == null ? AT_ONCE : secondRequest.sentence();
  }

  private synchronized SecondRequest takeSecond() {
    SecondRequest taken = secondRequest;
    secondRequest = null;
    return taken;
  }

  /**
   * Has {@code work} run at the second request, instead of ending the process. Has no effect after
   * the first request, when the effect of a second one was printed already.
   *
   * @param sentence predicate for people that says what the work does, after "a second Ctrl-C"
   */
  public synchronized void whenRequestedAgain(String sentence, Runnable work) {
    if (exitCode == 0) {
      secondRequest = new SecondRequest(sentence, work);
    }
  }

  /**
   * Has the next request after the first end the process, because the work that it would give up is
   * done.
   */
  public synchronized void endWhenRequestedAgain() {
    secondRequest = null;
  }

  /** Requests the end of the run, with {@code code} as exit code. Later calls have no effect. */
  public void request(int code) {
    List<Runnable> called;
    synchronized (this) {
      if (exitCode != 0) {
        return;
      }
      exitCode = code;
      called = List.copyOf(listeners);
    }
    called.forEach(Runnable::run);
  }

  public synchronized boolean requested() {
    return exitCode != 0;
  }

  /**
   * Returns the exit code: for signals 128 + n, so 130 after Ctrl-C; 0 while no end was requested.
   */
  public synchronized int exitCode() {
    return exitCode;
  }

  /** Has {@code listener} run once: at the request, or now if the end was requested already. */
  public void whenRequested(Runnable listener) {
    synchronized (this) {
      if (exitCode == 0) {
        listeners.add(listener);
        return;
      }
    }
    listener.run();
  }
}
