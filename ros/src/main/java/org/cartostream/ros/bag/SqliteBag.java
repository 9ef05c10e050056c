package org.cartostream.ros.bag;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
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

  /** A view could compute rows without end. */
  private static final String TABLES =
      "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
          + " AND lower(name) IN ('topics', 'messages')";

  /** In place of what is too long to be decoded, and is not brought into memory, stand zeros. */
  private static final String MESSAGES =
      "SELECT substr(topics.name, 1, %1$d), substr(topics.type, 1, %1$d),"
          + " substr(topics.serialization_format, 1, %1$d),"
          + " messages.timestamp,"
          + " CASE WHEN length(messages.data) > %2$d THEN zeroblob(%2$d + 1) ELSE messages.data END"
          + " FROM messages JOIN topics ON topics.id = messages.topic_id"
          + " ORDER BY messages.timestamp, messages.id";

  /** Maximum length of any value, bytes: four for each character of a text. */
  private static final int MOST_BYTES = 4 * (UnpackLimit.messageBytes() + 1);

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
    config.setPragma(SQLiteConfig.Pragma.LIMIT_LENGTH, Integer.toString(MOST_BYTES));
    Connection database = null;
    try {
      // As a URI: behind a question mark in a plain name stand settings, as that code may be
      // loaded.
      database = config.createConnection("jdbc:sqlite:" + file.toUri());
      try (Statement tables = database.createStatement();
          ResultSet count = tables.executeQuery(TABLES)) {
        if (count.getInt(1) != 2) {
          throw new SQLException("it needs the tables 'topics' and 'messages'");
        }
      }
      String messages = MESSAGES.formatted(FileText.MOST_BYTES, UnpackLimit.messageBytes());
      return new SqliteBag(file, database, database.createStatement().executeQuery(messages));
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
            McapMessage.Channel.of(text(1), text(2), text(3)),
            rows.getLong(4),
            bytes == null ? new byte[0] : bytes);
      }
    } catch (SQLException e) {
      damages.add("it is damaged, and its messages end there: " + e.getMessage());
    }
    finished = true;
    return null;
  }

  private String text(int column) throws SQLException {
    return FileText.shown(Objects.requireNonNullElse(rows.getString(column), ""));
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
