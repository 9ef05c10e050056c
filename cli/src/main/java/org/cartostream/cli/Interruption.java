package org.cartostream.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import sun.misc.Signal;

/**
 * The wish that a run end early: by Ctrl-C, by {@code kill}, by a terminal that is closed, or by a
 * test.
 *
 * <p>The first one lets the run write what it has; a second one ends the process at once, except
 * from a closed terminal: of that a process may hear twice, from its shell and from the system.
 * Shutdown hooks would not do: they run beside those of Storm and the broker, which take away what
 * is still to be written. Owns the wish and who is to be told of it; thread-safe.
 */
final class Interruption {

  /** What a shell reports for a command ended by signal n is 128 + n. */
  private static final int SIGNAL_BASE = 128;

  private static final String CLOSED_TERMINAL = "HUP";

  /** On a terminal it follows the {@code ^C} that stands there. */
  private static final String HEARD = "%nending; a second Ctrl-C ends the process at once%n";

  private final List<Runnable> listeners = new ArrayList<>();
  private int exitCode;

  /**
   * An interruption that Ctrl-C, {@code kill} and a closed terminal set off.
   *
   * @param err where it is said at once that the wish was heard: its fulfilment may take a while
   */
  static Interruption bySignals(PrintWriter err) {
    Interruption interruption = new Interruption();
    for (String name : List.of("INT", "TERM", CLOSED_TERMINAL)) {
      Signal signal = new Signal(name);
      try {
        Signal.handle(signal, raised -> interruption.raise(raised, err));
      } catch (IllegalArgumentException e) {
        // The JVM was started with -Xrs: it leaves signals to the system, which ends the process.
        return interruption;
      }
    }
    return interruption;
  }

  void raise(Signal signal, PrintWriter err) {
    int code = SIGNAL_BASE + signal.getNumber();
    boolean closed = signal.getName().equals(CLOSED_TERMINAL);
    if (requested() && !closed) {
      Runtime.getRuntime().halt(code);
    }
    request(code);
    if (!closed) {
      // A reader of it that has stopped would hold up this signal and all that follow.
      Thread saying = new Thread(() -> err.printf(HEARD).flush(), "says that the wish was heard");
      saying.setDaemon(true);
      saying.start();
    }
  }

  /** Asks for the end of the run; it will exit with {@code code}. Only the first wish counts. */
  void request(int code) {
    List<Runnable> told;
    synchronized (this) {
      if (exitCode != 0) {
        return;
      }
      exitCode = code;
      told = List.copyOf(listeners);
    }
    told.forEach(Runnable::run);
  }

  synchronized boolean requested() {
    return exitCode != 0;
  }

  /** 128 and the signal's number, so 130 after Ctrl-C; 0 while nothing was requested. */
  synchronized int exitCode() {
    return exitCode;
  }

  /** Has {@code listener} run once, when the wish comes, or now if it has come already. */
  void whenRequested(Runnable listener) {
    synchronized (this) {
      if (exitCode == 0) {
        listeners.add(listener);
        return;
      }
    }
    listener.run();
  }
}
