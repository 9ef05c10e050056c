package org.cartostream.collectives.transport;

import java.util.Arrays;
import java.util.Objects;

/** A range of bytes of an array. */
public record Slice(byte[] array, int from, int length) {

  public Slice {
    Objects.checkFromIndexSize(from, length, array.length);
  }

  /** Returns a slice that is all of an array. */
  public static Slice of(byte[] array) {
    return new Slice(array, 0, array.length);
  }

  /**
   * Returns {@code bytes} bytes of this slice, from its byte {@code offset} on; shares the array.
   */
  public Slice part(int offset, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, length);
    return new Slice(array, from + offset, bytes);
  }

  /**
   * Returns the bytes as an array of exactly their length: the slice's own array if the slice is
   * all of it, else a copy.
   */
  public byte[] whole() {
    return length == array.length ? array : Arrays.copyOfRange(array, from, from + length);
  }

  /** Copies the bytes into an array of the receiver. */
  public Slice copiedFor(GroupChannel.Receiver receiver) {
    byte[] spare = receiver.spare(length);
    if (spare == null) {
      return of(Arrays.copyOfRange(array, from, from + length));
    }
    System.arraycopy(array, from, spare, 0, length);
    return of(spare);
  }
}
