package org.cartostream.bench.collectives;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.operation.OperationKey;

/** Member of a group of our own collectives. */
final class CommunicatorMember implements MeasuredMember {

  private final Communicator communicator;
  private Communicator chosen;
  private CollectiveCase collectiveCase;
  private byte[] payload;
  private byte[][] parcels;
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
    chosen = communicator.withAlgorithm(next.algorithm());
    payload = BenchPayload.bytes(rank(), next.bytes());
    parcels = new byte[size()][];
    Arrays.fill(parcels, payload);
  }

  @Override
  public void run(int root) throws InterruptedException {
    OperationKey key = next();
    recycle();
    received =
        switch (collectiveCase.operation()) {
          case BARRIER -> chosen.barrier(key).await();
          case BROADCAST -> chosen.broadcast(key, root, payload).await();
          case ALL_GATHER -> chosen.allGather(key, payload).await();
          case ALL_TO_ALL -> chosen.allToAll(key, parcels).await();
        };
  }

  /** Gives received arrays back, so that the next results come in them, as with MPJ Express. */
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
    return (byte[]) received;
  }

  @Override
  public void close() {
    communicator.close();
  }
}
