package org.cartostream.collectives.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.Slice;

/**
 * Message that reports the failure of a call to the other members: the failure's reason, the ranks
 * that caused it and a sentence.
 */
@SuppressWarnings("EnumOrdinal") // All members of a group run one build.
final class AbortMessage {

  private AbortMessage() {}

  /**
   * Returns a frame that reports a failure of the operation with that key.
   *
   * @param source rank of the member that sends it
   */
  static Frame frame(OperationKey key, int source, CollectiveException why) {
    ByteBuffer ranks = ByteBuffer.allocate(Integer.BYTES * why.members().size());
    why.members().forEach(ranks::putInt);
    byte[] message = why.getMessage().getBytes(StandardCharsets.UTF_8);
    return new Frame(
        Frame.Kind.ABORT,
        key,
        source,
        Operation.BARRIER,
        0,
        Algorithm.AUTO,
        why.reason().ordinal(),
        0,
        0,
        List.of(Slice.of(ranks.array()), Slice.of(message)));
  }

  /** Returns the failure that a frame reports to a group of {@code size} members. */
  static CollectiveException failure(Frame frame, int size) {
    Reason reason = Reason.values()[Math.floorMod(frame.step(), Reason.values().length)];
    if (frame.blocks().size() != 2) {
      return new CollectiveException(
          reason,
          Set.of(frame.source()),
          "rank " + frame.source() + " gave " + frame.key() + " up");
    }
    Collection<Integer> members = new TreeSet<>();
    ByteBuffer ranks = ByteBuffer.wrap(frame.blocks().get(0).whole());
    while (ranks.remaining() >= Integer.BYTES) {
      members.add(Math.floorMod(ranks.getInt(), size));
    }
    String message = new String(frame.blocks().get(1).whole(), StandardCharsets.UTF_8);
    return new CollectiveException(reason, members, message);
  }
}
