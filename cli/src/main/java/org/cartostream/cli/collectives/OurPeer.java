package org.cartostream.cli.collectives;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.cartostream.topology.collectives.Communicator;
import org.cartostream.topology.collectives.Reduction;
import org.cartostream.topology.collectives.RoundKey;

/** A member of one of our groups. Reductions begin and end with numbers, as with MPJ Express. */
final class OurPeer implements Peer {

  private static final Reduction SUM = Reduction.ofDoubles(Double::sum);

  private final Communicator communicator;
  private Communicator chosen;
  private Cell cell;
  private byte[] payload;
  private byte[][] parcels;
  private double[] numbers;
  private Object brought;
  private long round;

  OurPeer(Communicator communicator) {
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

  private RoundKey next() {
    return new RoundKey("bench", 1, ++round);
  }

  @Override
  public void barrier() throws InterruptedException {
    communicator.barrier(next()).await();
  }

  @Override
  public void prepare(Cell next) {
    cell = next;
    chosen = communicator.by(next.algorithm()).ending(next.ending());
    payload = Payload.bytes(rank(), next.bytes());
    parcels = new byte[size()][];
    Arrays.fill(parcels, payload);
    numbers = Payload.numbers(rank(), next.bytes());
  }

  @Override
  public void run(int root) throws InterruptedException {
    RoundKey key = next();
    giveBack();
    brought =
        switch (cell.operation()) {
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

  /** As MPJ Express receives into the same arrays again. */
  private void giveBack() {
    if (brought instanceof byte[][] blocks) {
      communicator.reuse(blocks);
    } else if (brought instanceof byte[] block && block != payload) {
      communicator.reuse(block);
    }
    brought = null;
  }

  @Override
  public byte[] brought() {
    if (brought instanceof byte[][] blocks) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (byte[] block : blocks) {
        all.writeBytes(block);
      }
      return all.toByteArray();
    }
    return brought instanceof double[] sums ? Reduction.payload(sums) : (byte[]) brought;
  }

  @Override
  public void close() {
    communicator.close();
  }
}
