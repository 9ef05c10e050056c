package org.cartostream.bench.collectives;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.operation.Reduction;

/**
 * Member of a group of our own collectives. Reductions begin and end with numbers, as with MPJ
 * Express.
 */
final class CommunicatorMember implements MeasuredMember {

  private static final Reduction SUM = Reduction.ofDoubles(Double::sum);

  private final Communicator communicator;
  private Communicator chosen;
  private CollectiveCase collectiveCase;
  private byte[] payload;
  private byte[][] parcels;
  private double[] numbers;
  private Object received;
  private long round;

  CommunicatorMember(Communicator communicator) {
    this.communicator = communicator;
  }

  @Override
  public int rank() {
    return communicator.rank();
  }

  @Override
  public int size() {
    return communicator.size();
  }

  private OperationKey next() {
    return new OperationKey("bench", 1, ++round);
  }

  @Override
  public void barrier() throws InterruptedException {
    communicator.barrier(next()).await();
  }

  @Override
  public void prepare(CollectiveCase next) {
    collectiveCase = next;
    chosen = communicator.withAlgorithm(next.algorithm()).withCompletion(next.ending());
    payload = BenchPayload.bytes(rank(), next.bytes());
    parcels = new byte[size()][];
    Arrays.fill(parcels, payload);
    numbers = BenchPayload.numbers(rank(), next.bytes());
  }

  @Override
  public void run(int root) throws InterruptedException {
    OperationKey key = next();
    recycle();
    received =
        switch (collectiveCase.operation()) {
          case BARRIER -> chosen.barrier(key).await();
          case BROADCAST -> chosen.broadcast(key, root, payload).await();
          case SCATTER -> chosen.scatter(key, root, parcels).await();
          case GATHER -> chosen.gather(key, root, payload).await();
          case ALL_GATHER -> chosen.allGather(key, payload).await();
          case REDUCE ->
              Reduction.doubles(chosen.reduce(key, root, Reduction.payload(numbers), SUM).await());
          case ALL_REDUCE ->
              Reduction.doubles(chosen.allReduce(key, Reduction.payload(numbers), SUM).await());
          case ALL_TO_ALL -> chosen.allToAll(key, parcels).await();
        };
  }

  /** Receives into the same arrays again, as MPJ Express does. */
  private void recycle() {
    if (received instanceof byte[][] blocks) {
      communicator.reuse(blocks);
    } else if (received instanceof byte[] block && block != payload) {
      communicator.reuse(block);
    }
    received = null;
  }

  @Override
  public byte[] received() {
    if (received instanceof byte[][] blocks) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (byte[] block : blocks) {
        all.writeBytes(block);
      }
      return all.toByteArray();
    }
    return received instanceof double[] sums ? Reduction.payload(sums) : (byte[]) received;
  }

  @Override
  public void close() {
    communicator.close();
  }
}
