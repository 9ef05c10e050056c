package org.cartostream.collectives.transport;

/** Assembly of a payload from parts that come in any order. Owns the payload's array. */
public final class PayloadAssembly {

  private byte[] whole;
  private int missing;

  /**
   * Takes a part.
   *
   * @param atMost size of the largest payload allowed, bytes
   * @throws IllegalArgumentException if the payload is too large, or the part does not fit the
   *     others
   */
  public void take(Frame part, int atMost) {
    Slice block = part.block();
    if (whole == null) {
      begin(part, atMost);
    } else if (part.total() != whole.length || missing == 0) {
      throw new IllegalArgumentException(
          "a part of " + part.total() + " bytes came where " + missing + " were missing");
    }
    if (block.length() < whole.length) {
      System.arraycopy(block.array(), block.from(), whole, part.offset(), block.length());
    }
    missing -= block.length();
    if (missing < 0) {
      throw new IllegalArgumentException("a part came twice");
    }
  }

  private void begin(Frame part, int atMost) {
    if (part.total() < 0 || part.total() > atMost) {
      throw new IllegalArgumentException(
          "a payload has " + part.total() + " bytes; at most " + atMost + " are allowed");
    }
    boolean alone = part.block().length() == part.total();
    whole = alone ? part.block().whole() : new byte[part.total()];
    missing = part.total();
  }

  public boolean complete() {
    return whole != null && missing == 0;
  }

  public byte[] whole() {
    return whole;
  }
}
