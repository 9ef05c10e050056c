package org.cartostream.ros.bag;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.cartostream.ros.unpack.UnpackLimit;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * A recording of rosbag2 as an SQLite database (storage {@code sqlite3}: tables {@code topics} and
 * {@code messages}), read in the order of recording times. Reading ends at the first damage that
 * SQLite reports.
 *
 * <p>Owns the open database, and the list of damages.
 */
final class SqliteBag implements MessageFile {

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  /**
   * Query that counts the two tables. Views of these names do not count: a view could compute rows
   * without end.
   */
  private static final String TABLES =
      "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
          + " AND lower(name) IN ('topics', 'messages')";

  private static final String TOPICS =
      "SELECT id, substr(name, 1, %1$d), substr(type, 1, %1$d),"
          + " substr(serialization_format, 1, %1$d) FROM topics LIMIT %2$d";

  /**
   * Query for messages. A message too long to be decoded is replaced by zeros, so that it is never
   * loaded into memory. The topics are not joined: if several had one id, each of its messages
   * would be returned several times.
   */
  private static final String MESSAGES =
      "SELECT topic_id, timestamp,"
          + " CASE WHEN length(data) > %1$d THEN zeroblob(%1$d + 1) ELSE data END"
          + " FROM messages ORDER BY timestamp, id";

  /** Maximum length of any value, bytes; a character of a text takes up to four. */
  private static final int MAX_BYTES = 4 * (UnpackLimit.messageBytes() + 1);

  private final Path file;
  private final Connection database;
  private final Map<Long, McapMessage.Channel> topics;
  private final ResultSet rows;
  private final DamageLog damages = new DamageLog();
  private long orphans;
  private boolean finished;

  private SqliteBag(
      Path file, Connection database, Map<Long, McapMessage.Channel> topics, ResultSet rows) {
    this.file = file;
    this.database = database;
    this.topics = topics;
    this.rows = rows;
  }

  /** Returns true if a file begins with SQLite's magic bytes. */
  static boolean isDatabase(Path file) throws IOException {
    return SeekableFile.begins(file, MAGIC);
  }

  static SqliteBag open(Path file) throws IOException {
    SQLiteConfig config = new SQLiteConfig();
    try {
      return open(file, config, "");
    } catch (SQLException e) {
      if (e.getErrorCode() != SQLiteErrorCode.SQLITE_CANTOPEN.code
          && e.getErrorCode() != SQLiteErrorCode.SQLITE_READONLY.code) {
        throw noDatabase(file, e);
      }
    }
    // In a read-only folder SQLite cannot create the index of the write-ahead log (WAL).
    // Without locks it keeps that index in memory; a file that is alone cannot change at all.
    boolean hasLog = Files.exists(file.resolveSibling(file.getFileName() + "-wal"));
    config.setLockingMode(SQLiteConfig.LockingMode.EXCLUSIVE);
    try {
      return open(file, config, hasLog ? "?vfs=unix-none" : "?immutable=1");
    } catch (SQLException e) {
      throw noDatabase(file, e);
    }
  }

  private static BagFormatException noDatabase(Path file, SQLException why) {
    if (why.getCause() instanceof NativeLibraryNotFoundException) { // The file may well be right.
      throw new UnsatisfiedLinkError("SQLite's library cannot be loaded");
    }
    return new BagFormatException(file + " is no database of rosbag2: " + why.getMessage(), why);
  }

  private static SqliteBag open(Path file, SQLiteConfig config, String how)
      throws IOException, SQLException {
    config.setReadOnly(true);
    config.setPragma(SQLiteConfig.Pragma.LIMIT_LENGTH, Integer.toString(MAX_BYTES));
    Connection database = null;
    try {
      // As a URI: behind a question mark in a plain name stand settings, as that code may be
      // loaded.
      database = config.createConnection("jdbc:sqlite:" + file.toUri() + how);
      try (Statement tables = database.createStatement();
          ResultSet count = tables.executeQuery(TABLES)) {
        if (count.getInt(1) != 2) {
          throw new SQLException("it needs the tables 'topics' and 'messages'");
        }
      }
      Map<Long, McapMessage.Channel> topics = topics(database);
      String messages = MESSAGES.formatted(UnpackLimit.messageBytes());
      ResultSet rows = database.createStatement().executeQuery(messages);
      return new SqliteBag(file, database, topics, rows);
    } catch (SQLException e) {
      if (database != null) {
        close(database, file);
      }
      throw e;
    }
  }

  private static Map<Long, McapMessage.Channel> topics(Connection database) throws SQLException {
    Map<Long, McapMessage.Channel> topics = new HashMap<>();
    String query = TOPICS.formatted(FileText.MAX_BYTES, ChunkedFile.MAX_DESCRIBED);
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        McapMessage.Channel channel =
            McapMessage.Channel.of(text(rows, 2), text(rows, 3), text(rows, 4));
        topics.putIfAbsent(rows.getLong(1), channel);
      }
    }
    return topics;
  }

  @Override
  public RecordedMessage next() {
    try {
      while (!finished && rows.next()) {
        McapMessage.Channel channel = topics.get(rows.getLong(1));
        if (channel != null) {
          byte[] bytes = rows.getBytes(3);
          return new McapMessage(channel, rows.getLong(2), bytes == null ? new byte[0] : bytes);
        }
        orphans++;
      }
    } catch (SQLException e) {
      damages.add("it is damaged, and its messages end there: " + e.getMessage());
    }
    if (!finished && orphans > 0) {
      damages.add(
          "%d messages are of none of the first %d topics that it describes"
              .formatted(orphans, ChunkedFile.MAX_DESCRIBED));
    }
    finished = true;
    return null;
  }

  private static String text(ResultSet rows, int column) throws SQLException {
    return FileText.shown(Objects.requireNonNullElse(rows.getString(column), ""));
  }

  /** Returns the coverage of the whole file: only SQLite knows which bytes are of which message. */
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
