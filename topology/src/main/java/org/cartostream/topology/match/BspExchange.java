package org.cartostream.topology.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.PayloadSerializer;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.WeightReport;

/**
 * Exchange of one run's weights and particles by collective operations: an all-gather of the
 * particles' weights, a decision that is the same on every task, and, if particles move, an
 * all-to-all of the moving particles.
 *
 * <p>Owns the run's {@link ResamplingCoordinator} on this task, and the particles that are to
 * leave. The run's epoch is also the collectives' epoch, so messages of tasks that are still in an
 * earlier epoch are dropped. A call ends when this task has its own result, and the living tasks
 * have fetched particles that are too large for a frame or beyond the credit, or the time is up.
 */
final class BspExchange implements ParticleExchange {

  private static final byte[][] NOTHING = {};

  private final Run run;
  private final ResamplingCoordinator resamplingCoordinator;
  private final Communicator communicator;
  private final PayloadSerializer payloadSerializer;
  private final List<List<ParticleTransfer>> leaving = new ArrayList<>();
  private final StreamOutput.Direct<Payload.CollectiveResult> gathered;
  private final StreamOutput.Direct<Payload.CollectiveResult> exchanged;

  /**
   * @param run the run, in the epoch of the collectives
   * @param gathered stream that brings this task the result of the all-gather
   * @param exchanged stream that brings this task the result of the all-to-all
   */
  BspExchange(
      Run run,
      ResamplingCoordinator resamplingCoordinator,
      Communicator communicator,
      PayloadSerializer payloadSerializer,
      StreamOutput.Direct<Payload.CollectiveResult> gathered,
      StreamOutput.Direct<Payload.CollectiveResult> exchanged) {
    this.run = run;
    this.resamplingCoordinator = resamplingCoordinator;
    this.communicator = communicator;
    this.payloadSerializer = payloadSerializer;
    this.gathered = gathered;
    this.exchanged = exchanged;
    for (int rank = 0; rank < communicator.size(); rank++) {
      leaving.add(new ArrayList<>());
    }
  }

  @Override
  public void sendWeights(WeightReport weightReport) {
    long sequence = weightReport.weights().sequence();
    OperationKey key = new OperationKey(run.robot(), run.epoch(), 2 * sequence);
    onCompletion(
        communicator.allGather(key, payloadSerializer.pack(weightReport)),
        sequence,
        collectiveResult -> gathered.emit(communicator.rank(), collectiveResult));
  }

  ResamplingCoordinator coordinator() {
    return resamplingCoordinator;
  }

  /**
   * Returns the decision from the weights of all tasks, which is the same on every task.
   *
   * @param blocks encoded weight reports, by task
   */
  ResamplingCoordinator.Decision decide(byte[][] blocks) {
    return resamplingCoordinator.decide(
        Arrays.stream(blocks).map(payloadSerializer::weightReport).toList());
  }

  @Override
  public void send(ParticleMove particleMove, ParticleTransfer particleTransfer) {
    leaving.get(particleMove.to()).add(particleTransfer);
  }

  @Override
  public void allSent(long sequence, ParticleMove[] all) {
    if (all.length == 0) {
      return;
    }
    byte[][] blocks = leaving.stream().map(payloadSerializer::pack).toArray(byte[][]::new);
    leaving.forEach(List::clear);
    OperationKey key = new OperationKey(run.robot(), run.epoch(), 2 * sequence + 1);
    onCompletion(
        communicator.allToAll(key, blocks),
        sequence,
        collectiveResult -> exchanged.emit(communicator.rank(), collectiveResult));
  }

  /**
   * Sends this task a message when a call ends, from the thread in which it ends. Storm's collector
   * takes messages from any thread: its queues have many writers, each thread has its own
   * serializer, and messages are not batched (see ScanTopology's configuration). The test
   * EmitFromOtherThreadsIT checks this.
   */
  private void onCompletion(
      CollectiveFuture<byte[][]> collectiveFuture,
      long sequence,
      Consumer<Payload.CollectiveResult> then) {
    collectiveFuture.whenComplete(
        (blocks, why) ->
            then.accept(
                why == null
                    ? new Payload.CollectiveResult(run, sequence, blocks, "")
                    : new Payload.CollectiveResult(
                        run, sequence, NOTHING, String.valueOf(why.getMessage()))));
  }
}
