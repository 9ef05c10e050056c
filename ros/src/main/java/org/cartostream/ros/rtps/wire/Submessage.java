package org.cartostream.ros.rtps.wire;

/** A part of an RTPS packet, from a writer to readers or from a reader to a writer (8.3.7). */
public sealed interface Submessage {

  /** Returns the reader's entity id; {@link EntityIds#UNKNOWN} for each matched reader. */
  int readerId();

  int writerId();

  /**
   * A sample (8.3.7.2).
   *
   * @param number writer's sequence number of the sample
   * @param isKey true if the payload is only the key of the instance that the sample is about
   * @param payload with its encapsulation header; empty if there is none
   */
  record Data(
      int readerId,
      int writerId,
      long number,
      ParameterList inlineQos,
      boolean isKey,
      byte[] payload)
      implements Submessage {}

  /**
   * Some fragments of a sample (8.3.7.3).
   *
   * @param data the sample, with the fragments as its payload
   * @param first number of the first fragment, from 1
   * @param count number of fragments
   * @param size size of a fragment, bytes; the last of the sample may be shorter
   * @param sampleSize size of the whole sample, bytes
   */
  record DataFrag(Data data, int first, int count, int size, int sampleSize) implements Submessage {

    @Override
    public int readerId() {
      return data.readerId();
    }

    @Override
    public int writerId() {
      return data.writerId();
    }

    /** Returns the number of fragments of the sample. */
    public int total() {
      return (int) (((long) sampleSize + size - 1) / size);
    }
  }

  /**
   * Announcement of the samples that a writer has (8.3.7.5).
   *
   * @param first the oldest sample that it can still send; {@code last + 1} if there is none
   * @param isFinal true if no answer is asked for
   */
  record Heartbeat(int readerId, int writerId, long first, long last, int count, boolean isFinal)
      implements Submessage {}

  /** Announcement of the last fragment of a sample that a writer has sent (8.3.7.6). */
  record HeartbeatFrag(int readerId, int writerId, long number, int last, int count)
      implements Submessage {}

  /**
   * Statement of the samples that a reader has and lacks (8.3.7.1).
   *
   * @param missing the base is the first one that it does not have
   * @param isFinal true if no answer is asked for
   */
  record AckNack(int readerId, int writerId, NumberSet missing, int count, boolean isFinal)
      implements Submessage {}

  /** Fragments that a reader lacks of a sample (8.3.7.10). */
  record NackFrag(int readerId, int writerId, long number, NumberSet missing, int count)
      implements Submessage {}

  /**
   * Samples that a writer will not send to a reader (8.3.7.4): those from {@code start} to before
   * the set's base, and those in the set.
   */
  record Gap(int readerId, int writerId, long start, NumberSet numbers) implements Submessage {}
}
