package org.cartostream.ros.bag;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.ros.serialization.MessageType;

/**
 * A file of messages that a ROS graph's topics carried, in the order in which they were recorded.
 */
public interface MessageFile extends Closeable {

  /** A message as it was recorded. */
  interface RecordedMessage {

    String topic();

    /** Returns the type as the file has it, for people; empty if it does not say. */
    String type();

    /** Returns the time of recording, nanoseconds since 1970-01-01 UTC by the recorder's clock. */
    long atNanos();

    /** True if the message is of this type. */
    boolean is(MessageType<?> type);

    /**
     * Returns the content as a message of a type.
     *
     * @throws org.cartostream.ros.RosException if its bytes make no sense
     */
    <M extends Record> M as(MessageType<M> type);
  }

  /**
   * Returns the next readable message; null after the last. Damaged parts are skipped up to the
   * next whole record or chunk, and reported by {@link #coverage}.
   *
   * @throws BagFormatException if the file is packed in a way that cannot be read
   */
  RecordedMessage next() throws IOException;

  /** Returns the name of the file with the last message if there are several files; else empty. */
  default String source() {
    return "";
  }

  /** Returns how much of the file was read up to now, and what is wrong with it. */
  ReadCoverage coverage();

  /** True if a file begins as one of the known formats does, or is a folder of rosbag2. */
  static boolean isMessageFile(Path file) throws IOException {
    return Files.isDirectory(file)
        ? Rosbag2Folder.isOne(file)
        : BagReader.isBag(file)
            || McapReader.isMcap(file)
            || SqliteBag.isDatabase(file)
            || Rosbag2Folder.isPacked(file);
  }

  /** Opens a single file that is not packed. */
  private static MessageFile openOne(Path file) throws IOException {
    return McapReader.isMcap(file)
        ? McapReader.open(file)
        : SqliteBag.isDatabase(file) ? SqliteBag.open(file) : BagReader.open(file);
  }

  /**
   * Opens a bag of ROS 1, an MCAP file, a database of rosbag2, one of these packed by rosbag2, a
   * folder of rosbag2, or several of all these as one: see {@link MergedFiles}.
   *
   * @throws BagFormatException if a file has none of these formats
   */
  static MessageFile open(List<Path> files) throws IOException {
    List<String> missing = new ArrayList<>();
    List<Rosbag2Folder.Part> parts = new ArrayList<>();
    for (Path file : files) {
      parts.addAll(Rosbag2Folder.parts(file, MessageFile::openOne, missing));
    }
    return parts.size() == 1 && missing.isEmpty()
        ? openOne(parts.get(0).plain())
        : MergedFiles.open(parts, missing, MessageFile::openOne);
  }
}
