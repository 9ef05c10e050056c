package org.cartostream.cli.scale;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.topology.Mode;
import org.cartostream.topology.Rehearsal;
import org.cartostream.topology.Rehearsal.Transfer;
import org.cartostream.topology.Rehearsal.Turn;

/**
 * A service with its threads (dispatcher, matchers, resampler, publisher) in virtual time. Each
 * reading goes the way that it goes in the topology:
 *
 * <ol>
 *   <li>The dispatcher checks it and tells all tasks, while they are busy with the one before; a
 *       task begins as soon as its own maps are done.
 *   <li>Each task matches, and states what its particles believe: to the resampler, or by an
 *       all-gather to all others, straight or by doubling as {@code collectives} does.
 *   <li>While that is on its way, each enters the scan into its maps, part by part, and then
 *       matches the next reading; unless a resampling is expected.
 *   <li>It is decided what becomes of the particles: once, or by each task for itself.
 *   <li>Tasks send what leaves; each waits for what comes to it, then enters the scan into the rest
 *       of its maps.
 *   <li>Each says that it is ready. When all have, the next reading but one is let in.
 * </ol>
 *
 * <p>Owns the virtual service, for one run.
 */
public final class Model {

  /** Up to so many members gather straight from each other, as {@code collectives} chooses. */
  private static final int FEW = 8;

  /** Readings in the filter at a time, as the dispatcher admits them. */
  private static final int MOST_SERVING = 2;

  private final Simulation time = new Simulation();
  private final Mode mode;
  private final List<Turn> turns;
  private final Machine machine;
  private final int size;
  private final Worker dispatcher;
  private final Worker resampler;
  private final Worker publisher;
  private final Worker besides;
  private final List<Task> tasks;
  private final int[] heard;
  private final int[] ready;
  private int served;

  private Model(Mode mode, List<Turn> turns, int size, Machine machine) {
    this.mode = mode;
    this.turns = turns;
    this.machine = machine;
    this.size = size;
    Cores cores = new Cores(time, machine.cores(), machine.together());
    this.dispatcher = new Worker(cores);
    this.resampler = new Worker(cores);
    this.publisher = new Worker(cores);
    this.besides = new Worker(cores);
    this.tasks = IntStream.range(0, size).mapToObj(rank -> new Task(rank, cores)).toList();
    this.heard = new int[turns.size()];
    this.ready = new int[turns.size()];
  }

  /**
   * Mean nanoseconds per reading.
   *
   * @param turns as rehearsed with {@code size} tasks
   */
  public static double nanosPerReading(Mode mode, List<Turn> turns, int size, Machine machine) {
    Model model = new Model(mode, turns, size, machine);
    for (int turn = 0; turn < Math.min(MOST_SERVING, turns.size()); turn++) {
      model.admit(turn);
    }
    model.time.run();
    if (model.served < turns.size()) {
      throw new IllegalStateException(
          "only " + model.served + " of " + turns.size() + " readings were served");
    }
    return model.time.now() / turns.size();
  }

  // --- dispatcher --------------------------------------------------------------------------------

  private void admit(int turn) {
    Turn now = turns.get(turn);
    besides.compute(machine.besidesNanos(), () -> {});
    double words = now.keyFrame() ? size * machine.hop().overheadNanos() : 0;
    dispatcher.compute(
        now.intakeNanos() + words,
        () -> {
          if (now.keyFrame()) {
            tasks.forEach(task -> hop(() -> task.take(turn)));
          } else {
            ready[turn] = size;
            serve();
          }
        });
  }

  private void hop(Runnable then) {
    time.in(machine.hop().latencyNanos(), then);
  }

  private void isReady(int turn) {
    dispatcher.compute(
        machine.hop().overheadNanos(),
        () -> {
          ready[turn]++;
          serve();
        });
  }

  private void serve() {
    while (served < turns.size() && ready[served] == size) {
      served++;
      if (served + MOST_SERVING - 1 < turns.size()) {
        admit(served + MOST_SERVING - 1);
      }
    }
  }

  // --- resampler ---------------------------------------------------------------------------------

  private void hear(int turn) {
    resampler.compute(
        machine.hop().overheadNanos(),
        () -> {
          heard[turn]++;
          if (heard[turn] == size) {
            decide(turn);
          }
        });
  }

  private void decide(int turn) {
    double words = size * machine.hop().overheadNanos();
    resampler.compute(
        turns.get(turn).decideNanos() + words,
        () -> {
          publish(turn);
          tasks.forEach(task -> hop(() -> task.judge(turn, machine.hop().overheadNanos())));
        });
  }

  private void publish(int turn) {
    publisher.compute(turns.get(turn).publishNanos(), () -> {});
  }

  // --- matchers ----------------------------------------------------------------------------------

  private final class Task {
    private final int rank;
    private final Worker worker;

    /** Its share in collectives is done by the threads that bring messages. */
    private final Worker carrier;

    private final Deque<Integer> keyFrames = new ArrayDeque<>();
    private final List<Integer> parts = new ArrayList<>();
    private boolean busy;
    private int now;
    private int step;
    private boolean stepSent;
    private int expected;
    private boolean sent;
    private int came;
    private boolean judged;

    /** How much of the entering of the scan can be done ahead, and is not yet; nanoseconds. */
    private double toEnterNanos;

    /** How much of the next reading's matching was done ahead, nanoseconds. */
    private double matchedNanos;

    /** Nothing is to be done but to wait for the verdict. */
    private boolean waits;

    Task(int rank, Cores cores) {
      this.rank = rank;
      this.worker = new Worker(cores);
      this.carrier = new Worker(cores);
    }

    void take(int turn) {
      keyFrames.add(turn);
      if (waits) {
        goAhead(now);
      }
      begin();
    }

    private void begin() {
      if (busy || keyFrames.isEmpty()) {
        return;
      }
      busy = true;
      int turn = keyFrames.remove();
      now = turn;
      step = 0;
      stepSent = false;
      sent = false;
      judged = false;
      toEnterNanos = turns.get(turn).aheadNanos()[rank];
      expected = expected(turn);
      double matchNanos = turns.get(turn).matchNanos()[rank] - matchedNanos;
      matchedNanos = 0;
      worker.compute(
          machine.hop().overheadNanos() + matchNanos,
          () -> {
            if (mode == Mode.DATAFLOW) {
              hop(() -> hear(turn));
            } else {
              gather(turn);
            }
            goAhead(turn);
          });
    }

    private void goAhead(int turn) {
      waits = false;
      if (judged || !turns.get(turn).ahead()) {
        return;
      }
      double toMatchNanos =
          keyFrames.isEmpty()
              ? 0
              : turns.get(keyFrames.element()).matchNanos()[rank] - matchedNanos;
      double enter = Math.min(toEnterNanos, Rehearsal.PIECE_NANOS);
      double match = enter > 0 ? 0 : Math.min(toMatchNanos, Rehearsal.PIECE_NANOS);
      toEnterNanos -= enter;
      matchedNanos += match;
      waits = enter + match <= 0;
      if (!waits) {
        worker.compute(enter + match, () -> goAhead(turn));
      }
    }

    private void hearVerdict(int turn) {
      judged = true;
      waits = false;
      if (turns.get(turn).resampled()) {
        matchedNanos = 0; // It was in vain.
      }
    }

    /** How many messages this task waits for after the verdict. */
    private int expected(int turn) {
      List<Transfer> transfers = turns.get(turn).transfers();
      if (mode == Mode.BSP) {
        return transfers.isEmpty() ? 0 : size - 1;
      }
      return (int) transfers.stream().filter(transfer -> transfer.to() == rank).count();
    }

    /** The next step of the all-gather: how many messages it takes, and from how far away. */
    private void gather(int turn) {
      boolean straight = size <= FEW;
      int steps = straight ? Math.min(1, size - 1) : 32 - Integer.numberOfLeadingZeros(size - 1);
      if (step == steps) {
        hop(
            () -> {
              hearVerdict(turn);
              decideAlone(turn);
            });
        return;
      }
      int distance = 1 << step;
      int blocks = straight ? 1 : Math.min(distance, size - distance);
      int messages = straight ? size - 1 : 1;
      carrier.compute(
          messages * machine.collective().overheadNanos(),
          () -> {
            double way =
                machine.collective().wayNanos((long) blocks * turns.get(turn).statementBytes());
            int from = step;
            for (int i = 0; i < messages; i++) {
              Task to = tasks.get((rank + (straight ? i + 1 : distance)) % size);
              time.in(way, () -> to.gathered(turn, from));
            }
            stepSent = true;
            gatherOn(turn, messages);
          });
    }

    private void gathered(int turn, int from) {
      parts.add(from);
      if (busy && stepSent) {
        gatherOn(turn, size <= FEW ? size - 1 : 1);
      }
    }

    private void gatherOn(int turn, int messages) {
      int now = step;
      if (!stepSent || parts.stream().filter(part -> part == now).count() < messages) {
        return;
      }
      parts.removeIf(part -> part == now);
      step++;
      stepSent = false;
      carrier.compute(messages * machine.collective().overheadNanos(), () -> gather(turn));
    }

    private void decideAlone(int turn) {
      worker.compute(
          machine.hop().overheadNanos() + turns.get(turn).decideNanos(),
          () -> {
            if (rank == 0) {
              publish(turn);
            }
            judge(turn, 0);
          });
    }

    void judge(int turn, double wordNanos) {
      hearVerdict(turn);
      List<Transfer> mine =
          turns.get(turn).transfers().stream().filter(each -> each.from() == rank).toList();
      MessageCost cost = mode == Mode.BSP ? machine.collective() : machine.hop();
      int messages = mode == Mode.BSP ? expected : mine.size();
      worker.compute(
          wordNanos + turns.get(turn).sendNanos()[rank] + messages * cost.overheadNanos(),
          () -> {
            long[] bytes = new long[size];
            mine.forEach(each -> bytes[each.to()] += each.bytes());
            for (Task to : tasks) {
              boolean goes = mode == Mode.BSP ? expected > 0 : bytes[to.rank] > 0;
              if (goes && to != this) {
                time.in(cost.wayNanos(bytes[to.rank]), () -> to.receive(turn));
              }
            }
            sent = true;
            register(turn);
          });
    }

    private void receive(int turn) {
      came++;
      register(turn);
    }

    private void register(int turn) {
      if (!sent || came < expected) {
        return;
      }
      sent = false;
      came = 0;
      MessageCost cost = mode == Mode.BSP ? machine.collective() : machine.hop();
      double wake = expected > 0 && mode == Mode.BSP ? machine.hop().latencyNanos() : 0;
      time.in(
          wake,
          () ->
              worker.compute(
                  expected * cost.overheadNanos()
                      + toEnterNanos
                      + turns.get(turn).registerNanos()[rank],
                  () -> {
                    hop(() -> isReady(turn));
                    busy = false;
                    begin();
                  }));
    }
  }

  /** What the slowest task of each reading computes, mean over all readings. */
  public static double slowestComputeNanos(List<Turn> turns) {
    return turns.stream()
        .mapToDouble(
            turn ->
                IntStream.range(0, turn.matchNanos().length)
                    .mapToLong(turn::computeNanos)
                    .max()
                    .orElse(0))
        .average()
        .orElse(0);
  }

  /** What one thread takes for a reading, mean, from turns that were rehearsed with one task. */
  public static double serialNanos(List<Turn> turns) {
    return turns.stream()
        .mapToDouble(
            turn ->
                turn.intakeNanos()
                    + turn.publishNanos()
                    + turn.decideNanos()
                    + Arrays.stream(turn.matchNanos()).sum()
                    + Arrays.stream(turn.aheadNanos()).sum()
                    + Arrays.stream(turn.sendNanos()).sum()
                    + Arrays.stream(turn.registerNanos()).sum())
        .average()
        .orElse(0);
  }
}
