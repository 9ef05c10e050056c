package org.cartostream.ros.bag;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.cartostream.ros.unpack.UnpackLimit;
import org.sqlite.SQLiteConfig;

/**
 * The messages of a database of rosbag2 (storage {@code sqlite3}: tables {@code topics} and {@code
 * messages}), in the order of the times at which they were recorded. Behind damage that SQLite
 * meets nothing is read.
 *
 * <p>Owns the open database, and what is wrong with it.
 */
final class SqliteBag implements MessageFile {

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  /** Of what is too long to be decoded the first bytes tell. */
  private static final String MESSAGES =
      "SELECT topics.name, topics.type, topics.serialization_format, messages.timestamp,"
          + " substr(messages.data, 1, "
          + (UnpackLimit.messageBytes() + 1)
          + ") FROM messages JOIN topics ON topics.id = messages.topic_id"
          + " ORDER BY messages.timestamp, messages.id";

  private final Path file;
  private final Connection database;
  private final ResultSet rows;
  private final DamageLog damages = new DamageLog();
  private boolean finished;

  private SqliteBag(Path file, Connection database, ResultSet rows) {
    this.file = file;
    this.database = database;
    this.rows = rows;
  }

  /** True if a file begins as a database of SQLite does. */
  static boolean isDatabase(Path file) throws IOException {
    return SeekableFile.begins(file, MAGIC);
  }

  static SqliteBag open(Path file) throws IOException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    Connection database = null;
    try {
      database = config.createConnection("jdbc:sqlite:" + file.toAbsolutePath());
      return new SqliteBag(file, database, database.createStatement().executeQuery(MESSAGES));
    } catch (SQLException e) {
      if (database != null) {
        close(database, file);
      }
      throw new BagFormatException(file + " is no database of rosbag2: " + e.getMessage(), e);
    }
  }

  @Override
  public RecordedMessage next() {
    try {
      if (!finished && rows.next()) {
        byte[] bytes = rows.getBytes(5);
        return new McapMessage(
            McapMessage.Channel.of(rows.getString(1), rows.getString(2), rows.getString(3)),
            rows.getLong(4),
            bytes == null ? new byte[0] : bytes);
      }
    } catch (SQLException e) {
      damages.add("it is damaged, and its messages end there: " + e.getMessage());
    }
    finished = true;
    return null;
  }

  /** Which bytes are of which message only SQLite knows. */
  @Override
  public ReadCoverage coverage() {
    return damages.coverage(file.toFile().length());
  }

  @Override
  public void close() throws IOException {
    close(database, file);
  }

  private static void close(Connection database, Path file) throws IOException {
    try {
      database.close();
    } catch (SQLException e) {
      throw new IOException(file + " cannot be closed: " + e.getMessage(), e);
    }
  }
}
