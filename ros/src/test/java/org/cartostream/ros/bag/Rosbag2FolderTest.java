package org.cartostream.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cartostream.ros.message.Float64;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders of rosbag2, with tables as rosbag2 makes them. */
@Quick
class Rosbag2FolderTest {

  @TempDir private Path folder;

  /** Messages with these numbers, each recorded at as many nanoseconds. */
  private Path database(String name, String serialization, double... numbers) throws Exception {
    Path file = folder.resolve(name);
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement make = database.createStatement()) {
      make.execute(
          "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,"
              + " serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL)");
      make.execute(
          "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL,"
              + " timestamp INTEGER NOT NULL, data BLOB NOT NULL)");
      make.execute(
          "INSERT INTO topics VALUES(7, '/n', 'std_msgs/msg/Float64', '"
              + serialization
              + "', '')");
      database.setAutoCommit(false);
      try (PreparedStatement add =
          database.prepareStatement("INSERT INTO messages VALUES(NULL, 7, ?, ?)")) {
        for (double number : numbers) {
          add.setLong(1, (long) number);
          add.setBytes(2, Float64.TYPE.encodeCdr(new Float64(number)));
          add.execute();
        }
      }
      database.commit();
    }
    return file;
  }

  private void metadata(String compression, String... files) throws Exception {
    Files.writeString(
        folder.resolve("metadata.yaml"),
        """
        rosbag2_bagfile_information:
          version: 5
          relative_file_paths: [%2$s]
          compression_format: "%1$s"
        """
            .formatted(compression, String.join(", ", files)));
  }

  private static List<Double> numbers(Path... paths) throws Exception {
    List<String> damages = new ArrayList<>();
    List<Double> numbers = numbers(damages, paths);
    assertThat(damages).isEmpty();
    return numbers;
  }

  private static List<Double> numbers(List<String> damages, Path... paths) throws Exception {
    List<Double> numbers = new ArrayList<>();
    try (MessageFile file = MessageFile.open(List.of(paths))) {
      for (MessageFile.RecordedMessage each = file.next(); each != null; each = file.next()) {
        assertThat(each.topic()).isEqualTo("/n");
        assertThat(each.is(Float64.TYPE)).isTrue();
        numbers.add(each.as(Float64.TYPE).data());
      }
      damages.addAll(file.coverage().damages());
    }
    return numbers;
  }

  @Test
  void aDatabaseIsReadInTheOrderOfTime() throws Exception {
    Path file = database("a.db3", "cdr", 3, 1, 2);
    assertThat(MessageFile.isMessageFile(file)).isTrue();
    assertThat(numbers(file)).containsExactly(1.0, 2.0, 3.0);
  }

  @Test
  void aFolderIsTheFilesThatItsMetadataNames() throws Exception {
    database("b_1.db3", "cdr", 3, 4);
    database("b_0.db3", "cdr", 1, 2);
    database("other.db3", "cdr", 9);
    metadata("", "older/b_0.db3", "b_1.db3");
    assertThat(MessageFile.isMessageFile(folder)).isTrue();
    assertThat(numbers(folder)).containsExactly(1.0, 2.0, 3.0, 4.0);
  }

  @Test
  void aFolderWithoutMetadataIsAllItsFiles() throws Exception {
    database("b_0.db3", "cdr", 1, 2);
    Path packed = database("b_1.db3", "cdr", 3);
    Files.write(folder.resolve("b_1.db3.zstd"), Zstd.compress(Files.readAllBytes(packed)));
    Files.delete(packed);
    assertThat(numbers(folder)).containsExactly(1.0, 2.0, 3.0);
  }

  private Path packed(Path file, String ending) throws Exception {
    Path packed = folder.resolve(file.getFileName() + ending);
    return Files.write(packed, Zstd.compress(Files.readAllBytes(file)));
  }

  @Test
  void packedAndUnpackedNamesStandForEachOtherAndASplitCountsOnce() throws Exception {
    database("b_0.db3", "cdr", 1);
    Path second = database("b_1.db3", "cdr", 2);
    Path third = database("b_2.db3", "cdr", 3);
    packed(second, ".zst");
    Files.delete(second);
    packed(third, ".zstd"); // Beside the file that was packed.
    metadata("zstd", "b_0.db3.zstd", "b_1.db3", "b_2.db3.zstd", "b_2.db3");
    assertThat(numbers(folder)).containsExactly(1.0, 2.0, 3.0);
    Files.delete(folder.resolve("metadata.yaml"));
    assertThat(numbers(folder)).as("listed").containsExactly(1.0, 2.0, 3.0);
  }

  @Test
  void whatIsMissingWhereverIsLeftOutAndSaid() throws Exception {
    Files.createFile(folder.resolve("b_0.db3"));
    database("b_2.db3", "cdr", 2);
    Path cut = packed(database("b_3.db3", "cdr", 3), ".zstd");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 40));
    Files.delete(folder.resolve("b_3.db3"));
    DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("b_4.db3")).close();
    Files.writeString(folder.resolve("b_4.db3"), "SQLite format 3\0, and no more");
    database("b_5.db3", "cdr", 5);
    for (boolean named : new boolean[] {false, true}) {
      if (named) {
        metadata("", "b_0.db3", "b_1.db3", "b_2.db3", "b_3.db3.zstd", "b_4.db3", "b_5.db3");
      }
      List<String> damages = new ArrayList<>();
      assertThat(numbers(damages, folder)).containsExactly(2.0, 5.0);
      assertThat(String.join("\n", damages))
          .contains("b_0.db3 is empty", "b_3.db3.zstd cannot be unpacked", "b_4.db3 is no database")
          .matches(said -> said.contains("names b_1.db3, which is not there") == named);
    }
  }

  /** In the order of keys of Foxy's recorder, and in that of Humble's, with all keys. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void metadataThatAreCutOffAnywhereDoNotHideAFile(boolean filesFirst) throws Exception {
    database("b_0.db3", "cdr", 1);
    database("b_1.db3", "cdr", 2);
    String files = "  relative_file_paths:\n    - b_0.db3\n    - b_1.db3\n";
    String counts = "  duration:\n    nanoseconds: 1\n  message_count: 2\n";
    String whole =
        "rosbag2_bagfile_information:\n  version: 5\n"
            + (filesFirst ? files + counts : counts + files)
            + "  compression_mode: \"\"\n";
    for (int length = 0; length <= whole.length(); length++) {
      Files.writeString(folder.resolve("metadata.yaml"), whole.substring(0, length));
      assertThat(numbers(new ArrayList<>(), folder)).as("%d bytes", length).hasSize(2);
    }
    assertThat(numbers(folder)).as("whole").hasSize(2);
  }

  @Test
  void metadataOfFilesThatHaveOtherNamesByNowDoNotHideThem() throws Exception {
    database("renamed_0.db3", "cdr", 1);
    metadata("", "b_0.db3");
    List<String> damages = new ArrayList<>();
    assertThat(numbers(damages, folder)).containsExactly(1.0);
    assertThat(damages).singleElement().asString().contains("names b_0.db3, which is not there");
  }

  /** A folder stands where SQLite would put its index, as if nothing could be written there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLogBesideADatabaseIsReadWhereNothingCanBeWritten(boolean withLog) throws Exception {
    Path made = database("made.db3", "cdr", 1);
    Path file = folder.resolve("there/b_0.db3");
    Files.createDirectories(folder.resolve("there/b_0.db3-shm"));
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + made);
        Statement add = database.createStatement()) {
      add.execute("PRAGMA journal_mode=WAL");
      add.execute("INSERT INTO messages SELECT NULL, topic_id, 2, data FROM messages");
      Files.copy(made, file);
      if (withLog) {
        Files.copy(folder.resolve("made.db3-wal"), folder.resolve("there/b_0.db3-wal"));
      }
    }
    assertThat(numbers(file)).hasSize(withLog ? 2 : 1);
  }

  @Test
  void aFileThatIsMissingIsNamed() throws Exception {
    metadata("", "b_0.db3");
    assertThatThrownBy(() -> numbers(folder))
        .isInstanceOf(BagFormatException.class)
        .hasMessageContaining("metadata.yaml names b_0.db3, which is not there");
  }

  @Test
  void anotherWayOfPackingIsNamed() throws Exception {
    database("b_0.db3", "cdr", 1);
    metadata("lz4", "b_0.db3");
    assertThatThrownBy(() -> numbers(folder))
        .isInstanceOf(BagFormatException.class)
        .hasMessageContaining("'lz4'; only zstd");
  }

  @Test
  void whatIsCutOffIsRefused() throws Exception {
    byte[] whole = Files.readAllBytes(database("a.db3", "cdr", 1, 2, 3));
    Path packed = folder.resolve("a.db3.zstd");
    Files.write(packed, Arrays.copyOf(Zstd.compress(whole), 40));
    assertThatThrownBy(() -> numbers(packed))
        .isInstanceOf(BagFormatException.class)
        .hasMessageContaining("cannot be unpacked");
    Path cut = Files.write(folder.resolve("cut.db3"), Arrays.copyOf(whole, 50));
    assertThatThrownBy(() -> numbers(cut))
        .isInstanceOf(BagFormatException.class)
        .hasMessageContaining("is no database of rosbag2");
  }

  @Test
  void whatIsDamagedIsReadUpToThereAndSaid() throws Exception {
    double[] many = new double[2000];
    for (int i = 0; i < many.length; i++) {
      many[i] = i + 1;
    }
    Path file = database("a.db3", "cdr", many);
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 8192, (byte) 0xff);
    Files.write(file, bytes);
    try (MessageFile damaged = MessageFile.open(List.of(file))) {
      MessageFile.RecordedMessage message;
      do {
        message = damaged.next();
      } while (message != null);
      assertThat(damaged.coverage().damages())
          .singleElement()
          .asString()
          .contains("it is damaged, and its messages end there");
    } catch (BagFormatException e) {
      // The index is what was hit: SQLite sorts before it gives the first.
      assertThat(e)
          .hasMessageContaining("is no database of rosbag2")
          .hasMessageContaining("malformed");
    }
  }

  @Test
  void whatCannotBeReadHasItsTypeAndSerialization() throws Exception {
    try (MessageFile file = MessageFile.open(List.of(database("a.db3", "protobuf", 1)))) {
      MessageFile.RecordedMessage message = file.next();
      assertThat(message.is(Float64.TYPE)).isFalse();
      assertThat(message.type())
          .isEqualTo("std_msgs/msg/Float64 in 'protobuf', which cannot be read");
    }
  }
}
