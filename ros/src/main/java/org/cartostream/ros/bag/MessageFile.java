package org.cartostream.ros.bag;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.ros.serialization.MessageType;

/**
 * A file of messages that a ROS graph's topics carried, in the order in which they were recorded.
 */
public interface MessageFile extends Closeable {

  /** A message as it was recorded. */
  interface RecordedMessage {

    String topic();

    /** When it was received, nanoseconds since 1970-01-01 UTC by the recorder's clock. */
    long atNanos();

    /** True if it is of this type. */
    boolean is(MessageType<?> type);

    /**
     * Its content.
     *
     * @throws org.cartostream.ros.RosException if its bytes make no sense
     */
    <M extends Record> M as(MessageType<M> type);
  }

  /**
   * The next message that can be read; null after the last. What is damaged is left out, and said
   * by {@link #coverage}: reading goes on at the next record or chunk that is whole.
   *
   * @throws BagFormatException if the file is packed in a way that cannot be read
   */
  RecordedMessage next() throws IOException;

  /** How much of the file was read up to now, and what is wrong with it. */
  ReadCoverage coverage();

  /** True if a file begins as one of the known formats does. */
  static boolean isMessageFile(Path file) throws IOException {
    return BagReader.isBag(file) || McapReader.isMcap(file);
  }

  /**
   * Opens a bag of ROS 1 or an MCAP file.
   *
   * @throws BagFormatException if the file is neither
   */
  static MessageFile open(Path file) throws IOException {
    return McapReader.isMcap(file) ? McapReader.open(file) : BagReader.open(file);
  }

  /** Opens one file or several, which need not be of one format: see {@link MergedFiles}. */
  static MessageFile open(List<Path> files) throws IOException {
    return files.size() == 1 ? open(files.get(0)) : MergedFiles.open(files);
  }
}
