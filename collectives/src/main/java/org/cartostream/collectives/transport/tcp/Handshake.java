package org.cartostream.collectives.transport.tcp;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.Slice;

/**
 * Content of the first frame on a connection: the group that the connecting member belongs to, and
 * its rank.
 *
 * @param group the group's name
 * @param size number of members of the group
 * @param rank rank of the connecting member
 */
record Handshake(String group, int size, int rank) {

  /**
   * Key of every handshake; its last number is the protocol's version, and grows if the form of
   * frames changes.
   */
  private static final OperationKey KEY = new OperationKey("cartostream-collectives", 1, 3);

  Frame frame() {
    return new Frame(
        Frame.Kind.ENTERED,
        KEY,
        rank,
        Operation.BARRIER,
        0,
        0,
        Algorithm.AUTO,
        size,
        0,
        0,
        List.of(Slice.of(group.getBytes(StandardCharsets.UTF_8))));
  }

  /**
   * Reads the first frame of a connection.
   *
   * @throws IllegalArgumentException if it is not from a member of this group
   */
  static Handshake of(Frame frame, String group, int size) {
    if (!frame.key().equals(KEY) || frame.blocks().size() != 1) {
      throw new IllegalArgumentException(
          "a connection begins with something else than a handshake");
    }
    String itsGroup = new String(frame.block().whole(), StandardCharsets.UTF_8);
    if (!itsGroup.equals(group)
        || frame.step() != size
        || frame.source() < 0
        || frame.source() >= size) {
      throw new IllegalArgumentException(
          "rank %d of %d of group '%s' calls group '%s' of %d"
              .formatted(frame.source(), frame.step(), itsGroup, group, size));
    }
    return new Handshake(group, size, frame.source());
  }
}
