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
 * <p>The first one lets the run write what it has; a second one ends the process at once, or gives
 * up what the first one waits for, and then a third one ends it. Not so from a closed terminal: of
 * that a process may receive twice, from its shell and from the system. Shutdown hooks would not
 * do: they run beside those of Storm and the broker, which take away what is still to be written.
 * Owns the wish, its listeners and the effect of a second one; thread-safe.
 */
public final class ShutdownRequest {

  /** The exit code after Ctrl-C. */
  public static final int BY_CTRL_C = 130;

  /** A shell reports 128 + n for a command that was ended by signal n. */
  private static final int SIGNAL_BASE = 128;

  private static final String CLOSED_TERMINAL = "HUP";

  private static final String AT_ONCE = "ends the process at once";

  /**
   * Work that is done at the second request to end.
   *
   * @param sentence of it, for people, behind "a second Ctrl-C"
   */
  private record SecondRequest(String sentence, Runnable work) {}

  private final IntConsumer exit;
  private final List<Runnable> listeners = new ArrayList<>();

  /** Null if the second wish ends the process. */
  private SecondRequest secondRequest;

  private int exitCode;

  public ShutdownRequest() {
    this(Runtime.getRuntime()::halt);
  }

  /**
   * @param halts ends the process at once, with this exit code
   */
  ShutdownRequest(IntConsumer halts) {
    this.exit = halts;
  }

  /**
   * An interruption that Ctrl-C, {@code kill} and a closed terminal set off.
   *
   * @param err where a signal is confirmed at once, for the end may take a while
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

  /** A reader of it that has stopped would hold up this signal and all that follow. */
  private static void print(String sentence, PrintWriter err) {
    // On a terminal it follows the ^C that stands there.
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
   * Has {@code work} run at the second wish, in place of the end of the process. Not so if the
   * first has come already, for the effect of a second was printed then.
   *
   * @param sentence what that does, for people, behind "a second Ctrl-C"
   */
  public synchronized void whenRequestedAgain(String sentence, Runnable work) {
    if (exitCode == 0) {
      secondRequest = new SecondRequest(sentence, work);
    }
  }

  /** Ends the process at the next request after the first: there is nothing to give up any more. */
  public synchronized void endWhenRequestedAgain() {
    secondRequest = null;
  }

  /** Asks for the end of the run; it will exit with {@code code}. Only the first wish counts. */
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

  /** 128 and the signal's number, so 130 after Ctrl-C; 0 while nothing was requested. */
  public synchronized int exitCode() {
    return exitCode;
  }

  /** Has {@code listener} run once, when the wish comes, or now if it has come already. */
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
