package org.cartostream.bench.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.bench.sequential.SequentialTasks;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.bench.sequential.SequentialTasks.Transfer;
import org.cartostream.topology.settings.ResamplingMode;

/**
 * Discrete-event model of a service with its threads (dispatcher, matchers, resampler, publisher)
 * in virtual time. Each reading takes the way that it takes in the topology:
 *
 * <ol>
 *   <li>The dispatcher checks the reading and sends it to all tasks, while they are busy with the
 *       one before; a task begins as soon as its own maps are done.
 *   <li>Each task matches, and sends the weights and poses of its particles: to the resampler, or
 *       by an all-gather to all others, straight or by doubling as {@code collectives} does.
 *   <li>While that is on its way, each task enters the scan into its maps, piece by piece, and then
 *       matches the next reading; unless a resampling is expected.
 *   <li>The resampling is decided: once, by the resampler, or by each task for itself.
 *   <li>Tasks send the particles that leave; each waits for those that come to it, then enters the
 *       scan into the rest of its maps.
 *   <li>Each task reports that it is ready. When all have, the next reading but one is admitted.
 * </ol>
 *
 * <p>Owns the virtual service, for one run.
 */
public final class ServiceModel {

  /**
   * Number of members up to which they gather straight from each other, as {@code collectives}
   * chooses.
   */
  private static final int FEW = 8;

  /** Number of threads of broker, gateway and all else, if there are as many cores. */
  private static final int BESIDES = 2;

  /** Maximum number of readings in the filter at a time, as the dispatcher admits them. */
  private static final int MAX_SERVING = 2;

  private final EventQueue time = new EventQueue();
  private final ResamplingMode mode;
  private final List<ReadingTimes> readingTimeses;
  private final MachineModel machineModel;
  private final int size;
  private final SimulatedThread dispatcher;
  private final SimulatedThread resampler;
  private final SimulatedThread publisher;

  /** Threads of all else: broker and gateway are processes of their own. */
  private final List<SimulatedThread> besides;

  private final List<MatcherModel> matcherModels;
  private final int[] weightsReceived;
  private final int[] ready;
  private int served;

  private ServiceModel(
      ResamplingMode mode, List<ReadingTimes> readingTimeses, int size, MachineModel machineModel) {
    this.mode = mode;
    this.readingTimeses = readingTimeses;
    this.machineModel = machineModel;
    this.size = size;
    SharedCores sharedCores = new SharedCores(time, machineModel.cores(), machineModel.together());
    this.dispatcher = new SimulatedThread(sharedCores);
    this.resampler = new SimulatedThread(sharedCores);
    this.publisher = new SimulatedThread(sharedCores);
    this.besides =
        IntStream.range(0, Math.min(BESIDES, machineModel.cores()))
            .mapToObj(thread -> new SimulatedThread(sharedCores))
            .toList();
    this.matcherModels =
        IntStream.range(0, size).mapToObj(rank -> new MatcherModel(rank, sharedCores)).toList();
    this.weightsReceived = new int[readingTimeses.size()];
    this.ready = new int[readingTimeses.size()];
  }

  /**
   * Returns the mean time of a reading, nanoseconds.
   *
   * @param readingTimeses times of each reading, as measured with {@code size} tasks
   */
  public static double nanosPerReading(
      ResamplingMode mode, List<ReadingTimes> readingTimeses, int size, MachineModel machineModel) {
    ServiceModel serviceModel = new ServiceModel(mode, readingTimeses, size, machineModel);
    for (int turn = 0; turn < Math.min(MAX_SERVING, readingTimeses.size()); turn++) {
      serviceModel.admit(turn);
    }
    serviceModel.time.run();
    if (serviceModel.served < readingTimeses.size()) {
      throw new IllegalStateException(
          "only " + serviceModel.served + " of " + readingTimeses.size() + " readings were served");
    }
    return serviceModel.time.now() / readingTimeses.size();
  }

  // --- dispatcher --------------------------------------------------------------------------------

  private void admit(int turn) {
    ReadingTimes now = readingTimeses.get(turn);
    besides.forEach(
        thread -> thread.compute(machineModel.besidesNanos() / besides.size(), () -> {}));
    double messages = now.keyFrame() ? size * machineModel.hop().overheadNanos() : 0;
    dispatcher.compute(
        now.intakeNanos() + messages,
        () -> {
          if (now.keyFrame()) {
            matcherModels.forEach(matcherModel -> hop(() -> matcherModel.receiveReading(turn)));
          } else {
            ready[turn] = size;
            serve();
          }
        });
  }

  private void hop(Runnable then) {
    time.in(machineModel.hop().latencyNanos(), then);
  }

  private void receiveReady(int turn) {
    dispatcher.compute(
        machineModel.hop().overheadNanos(),
        () -> {
          ready[turn]++;
          serve();
        });
  }

  private void serve() {
    while (served < readingTimeses.size() && ready[served] == size) {
      served++;
      if (served + MAX_SERVING - 1 < readingTimeses.size()) {
        admit(served + MAX_SERVING - 1);
      }
    }
  }

  // --- resampler ---------------------------------------------------------------------------------

  private void receiveWeights(int turn) {
    resampler.compute(
        machineModel.hop().overheadNanos(),
        () -> {
          weightsReceived[turn]++;
          if (weightsReceived[turn] == size) {
            decide(turn);
          }
        });
  }

  private void decide(int turn) {
    double messages = size * machineModel.hop().overheadNanos();
    resampler.compute(
        readingTimeses.get(turn).decideNanos() + messages,
        () -> {
          publish(turn);
          matcherModels.forEach(
              matcherModel ->
                  hop(() -> matcherModel.applyDecision(turn, machineModel.hop().overheadNanos())));
        });
  }

  private void publish(int turn) {
    publisher.compute(readingTimeses.get(turn).publishNanos(), () -> {});
  }

  // --- matchers ----------------------------------------------------------------------------------

  private final class MatcherModel {
    private final int rank;
    private final SimulatedThread thread;

    /** Thread for this task's work in collective calls, apart from its other work. */
    private final SimulatedThread collectiveThread;

    private final Deque<Integer> keyFrames = new ArrayDeque<>();
    private final List<Integer> parts = new ArrayList<>();
    private boolean busy;
    private int now;
    private int step;
    private boolean stepSent;
    private int expected;
    private boolean sent;
    private int received;
    private boolean decided;

    /** Time left for entering the scan into maps before the decision, nanoseconds. */
    private double toEnterNanos;

    /** Time of the next reading's matching that was done before the decision, nanoseconds. */
    private double matchedNanos;

    /** True if the task has nothing to do before the decision. */
    private boolean waits;

    MatcherModel(int rank, SharedCores sharedCores) {
      this.rank = rank;
      this.thread = new SimulatedThread(sharedCores);
      this.collectiveThread = new SimulatedThread(sharedCores);
    }

    void receiveReading(int turn) {
      keyFrames.add(turn);
      if (waits) {
        workAhead(now);
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
      decided = false;
      toEnterNanos = readingTimeses.get(turn).aheadNanos()[rank];
      expected = expected(turn);
      double matchNanos = readingTimeses.get(turn).matchNanos()[rank] - matchedNanos;
      matchedNanos = 0;
      work(
          machineModel.hop().overheadNanos(),
          matchNanos,
          () -> {
            if (mode == ResamplingMode.DATAFLOW) {
              hop(() -> receiveWeights(turn));
            } else {
              gather(turn);
            }
            workAhead(turn);
          });
    }

    /** Does work for messages, and then the filter's own, which needs no core if it is played. */
    private void work(double messageNanos, double filterNanos, Runnable then) {
      double played = machineModel.played() ? filterNanos : 0;
      thread.computeAndWait(messageNanos + filterNanos - played, played, then);
    }

    private void workAhead(int turn) {
      waits = false;
      if (decided || !readingTimeses.get(turn).ahead()) {
        return;
      }
      double toMatchNanos =
          keyFrames.isEmpty()
              ? 0
              : readingTimeses.get(keyFrames.element()).matchNanos()[rank] - matchedNanos;
      double enter = Math.min(toEnterNanos, SequentialTasks.PIECE_NANOS);
      double match = enter > 0 ? 0 : Math.min(toMatchNanos, SequentialTasks.PIECE_NANOS);
      toEnterNanos -= enter;
      matchedNanos += match;
      waits = enter + match <= 0;
      if (!waits) {
        work(0, enter + match, () -> workAhead(turn));
      }
    }

    private void receiveDecision(int turn) {
      decided = true;
      waits = false;
      if (readingTimeses.get(turn).resampled()) {
        matchedNanos = 0; // Done in vain.
      }
    }

    /** Returns the number of messages that this task waits for after the decision. */
    private int expected(int turn) {
      List<Transfer> transfers = readingTimeses.get(turn).transfers();
      if (mode == ResamplingMode.BSP) {
        return transfers.isEmpty() ? 0 : size - 1;
      }
      return (int) transfers.stream().filter(transfer -> transfer.to() == rank).count();
    }

    /**
     * Does the next step of the all-gather: sends to all others, or to the one at twice the
     * distance of the step before.
     */
    private void gather(int turn) {
      boolean straight = size <= FEW;
      int steps = straight ? Math.min(1, size - 1) : 32 - Integer.numberOfLeadingZeros(size - 1);
      if (step == steps) {
        hop(
            () -> {
              receiveDecision(turn);
              decideAlone(turn);
            });
        return;
      }
      int distance = 1 << step;
      int blocks = straight ? 1 : Math.min(distance, size - distance);
      int messages = straight ? size - 1 : 1;
      collectiveThread.compute(
          messages * machineModel.collective().overheadNanos(),
          () -> {
            double way =
                machineModel
                    .collective()
                    .wayNanos((long) blocks * readingTimeses.get(turn).statementBytes());
            int from = step;
            for (int i = 0; i < messages; i++) {
              MatcherModel to = matcherModels.get((rank + (straight ? i + 1 : distance)) % size);
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
      collectiveThread.compute(
          messages * machineModel.collective().overheadNanos(), () -> gather(turn));
    }

    private void decideAlone(int turn) {
      thread.compute(
          machineModel.hop().overheadNanos() + readingTimeses.get(turn).decideNanos(),
          () -> {
            if (rank == 0) {
              publish(turn);
            }
            applyDecision(turn, 0);
          });
    }

    void applyDecision(int turn, double wordNanos) {
      receiveDecision(turn);
      List<Transfer> mine =
          readingTimeses.get(turn).transfers().stream()
              .filter(each -> each.from() == rank)
              .toList();
      MessageCost cost =
          mode == ResamplingMode.BSP ? machineModel.collective() : machineModel.hop();
      int messages = mode == ResamplingMode.BSP ? expected : mine.size();
      thread.compute(
          wordNanos + readingTimeses.get(turn).sendNanos()[rank] + messages * cost.overheadNanos(),
          () -> {
            long[] bytes = new long[size];
            mine.forEach(each -> bytes[each.to()] += each.bytes());
            for (MatcherModel to : matcherModels) {
              boolean goes = mode == ResamplingMode.BSP ? expected > 0 : bytes[to.rank] > 0;
              if (goes && to != this) {
                time.in(cost.wayNanos(bytes[to.rank]), () -> to.receive(turn));
              }
            }
            sent = true;
            updateMap(turn);
          });
    }

    private void receive(int turn) {
      received++;
      updateMap(turn);
    }

    private void updateMap(int turn) {
      if (!sent || received < expected) {
        return;
      }
      sent = false;
      received = 0;
      MessageCost cost =
          mode == ResamplingMode.BSP ? machineModel.collective() : machineModel.hop();
      double wake =
          expected > 0 && mode == ResamplingMode.BSP ? machineModel.hop().latencyNanos() : 0;
      time.in(
          wake,
          () ->
              work(
                  expected * cost.overheadNanos(),
                  toEnterNanos + readingTimeses.get(turn).mapUpdateNanos()[rank],
                  () -> {
                    hop(() -> receiveReady(turn));
                    busy = false;
                    begin();
                  }));
    }
  }
}
