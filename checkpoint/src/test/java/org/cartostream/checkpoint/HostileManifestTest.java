package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A manifest, and what it names, may be a stranger's: nothing is written outside the store. */
@Quick
class HostileManifestTest {

  private static final String RUN = "killian";
  private static final byte[] EVIL =
      "a line for somebody's crontab".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static byte[] manifest(String run, String... parts) throws Exception {
    String json =
        "{\"cut\":{\"run\":\"%s\",\"epoch\":1,\"reading\":5},\"release\":\"1\",\"identity\":{},\"parts\":[%s]}"
            .formatted(run, String.join(",", parts));
    return signed(json);
  }

  private static byte[] signed(String json) throws Exception {
    String head = "cartostream-checkpoint 2 %s\n";
    return (head.formatted(sha256(json.getBytes(StandardCharsets.UTF_8))) + json)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String part(String name, long bytes, boolean shared) throws Exception {
    return "{\"name\":\"%s\",\"bytes\":%d,\"sha256\":\"%s\",\"shared\":%b}"
        .formatted(name, bytes, sha256(EVIL), shared);
  }

  /** A {@code run.state} whose manifest names a part so, which is in it. */
  private Path state(byte[] manifest, String... parts) throws IOException {
    Path file = folder.resolve(RunState.FILE);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("manifest.json"));
      zip.write(manifest);
      for (String part : parts) {
        zip.putNextEntry(new ZipEntry(part));
        zip.write(EVIL);
      }
    }
    return file;
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(file -> folder.relativize(file).toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../evil",
        "../evil",
        "/tmp/evil",
        "a/evil",
        "a\\\\evil",
        "..",
        ".",
        "",
        "manifest.json",
        "evil\\u0000",
        "evil\\n",
        "evil.1.2",
      })
  void aPartCannotNameAnotherPlace(String name) throws Exception {
    Files.createDirectories(folder.resolve("store").resolve(RUN));
    for (boolean shared : new boolean[] {true, false}) {
      Path file = state(manifest(RUN, part(name, EVIL.length, shared)), "../../evil");
      List<String> before = files();
      assertThatThrownBy(
              () ->
                  RunState.open(file)
                      .copyTo(new DirectoryStore(folder.resolve("store/deep/er")), RUN))
          .isInstanceOf(CheckpointException.class)
          .hasMessageContaining("the state cannot be read (" + file)
          .hasMessageContaining("' cannot name a part: at most 128 letters, digits, '-' and '_'");
      assertThat(files()).isEqualTo(before);
    }
  }

  @Test
  void aGoodOneIsCopied() throws Exception {
    Path file = state(manifest(RUN, part("filter", EVIL.length, true)), "filter");
    DirectoryStore store = new DirectoryStore(folder.resolve("store"));
    RunState.open(file).copyTo(store, "next");
    assertThat(store.latest("next", unusable -> {})).isPresent();
    assertThat(folder.resolve("store/next/filter-" + sha256(EVIL))).hasBinaryContent(EVIL);
  }

  @Test
  void longNamesAreCutInTheSentence() throws Exception {
    String name = "x".repeat(100_000);
    for (byte[] manifest :
        List.of(
            manifest(RUN, part(name, 1, false)),
            manifest(name),
            manifest(RUN, part("filter", 1, false).replaceAll("[0-9a-f]{64}", name)))) {
      assertThatThrownBy(() -> RunState.open(state(manifest)))
          .isInstanceOf(CheckpointException.class)
          .satisfies(e -> assertThat(e.getMessage()).contains("xxx...").hasSizeLessThan(1_000));
    }
  }

  @Test
  void aRunCannotNameAnotherPlace() throws Exception {
    CheckpointStore store = new DirectoryStore(folder.resolve("store"));
    Files.writeString(folder.resolve("precious"), "mine");
    assertThatThrownBy(() -> RunState.open(state(manifest("../.."))))
        .hasMessageContaining("'../..' cannot name a run");
    for (String run : List.of("..", "../x", "/", ".", "")) {
      ByteBuffer content = ByteBuffer.wrap(EVIL);
      assertThatThrownBy(() -> store.delete(run)).hasMessageContaining("cannot name a run");
      assertThatThrownBy(() -> store.writeShared(run, "filter", content))
          .hasMessageContaining("cannot name a run");
      assertThatThrownBy(() -> store.writeBeside(run, "deaths.json", content))
          .hasMessageContaining("cannot name a run");
      assertThatThrownBy(() -> store.writeBeside(RUN, run + "/x", content))
          .hasMessageContaining("cannot name a file");
      assertThatThrownBy(() -> store.putFile(run + "/x", content))
          .hasMessageContaining("cannot name a file");
    }
    assertThat(files()).containsExactly("", "precious", RunState.FILE);
  }

  @Test
  void moreThanThereCanBeMemoryForIsNotRead() throws Exception {
    Path file = state(manifest(RUN, part("filter", 1L << 40, false)), "filter");
    RunState state = RunState.open(file);
    assertThatThrownBy(() -> state.read("filter"))
        .isInstanceOf(CheckpointException.class)
        .hasMessageStartingWith("the part 'filter' has 1,099,511,627,776 bytes, and this process");
    assertThatThrownBy(() -> RunState.open(state(manifest(RUN, part("filter", -1, false)))))
        .hasMessageContaining("the part 'filter' has -1 bytes");
  }

  @Test
  void aManifestHasAnEnd() throws Exception {
    assertThatThrownBy(() -> RunState.open(state(signed("[".repeat(500_000)))))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("cannot be read");
    assertThatThrownBy(() -> RunState.open(state(signed(" ".repeat(2 << 20)))))
        .isInstanceOf(CheckpointException.class);

    Path run = Files.createDirectories(folder.resolve("store").resolve(RUN));
    Files.write(run.resolve("1-5.json"), new byte[2 << 20]);
    Files.createSymbolicLink(run.resolve("2-5.json"), Path.of("/dev/zero"));
    Files.createDirectory(run.resolve("3-5.json"));
    List<String> unusable = new ArrayList<>();
    assertThat(new DirectoryStore(folder.resolve("store")).latest(RUN, unusable::add)).isEmpty();
    assertThat(unusable)
        .hasSize(3)
        .anyMatch(each -> each.contains("manifest of more than 1,048,576 bytes"))
        .anyMatch(each -> each.contains("2-5.json is no regular file"))
        .anyMatch(each -> each.contains("3-5.json is no regular file"));
  }

  /** Of which each is newer than the good one. */
  @Test
  void whatIsNoManifestIsNamedAndTheOneBeforeIsTaken() throws Exception {
    Path run = Files.createDirectories(folder.resolve("store").resolve(RUN));
    Files.write(run.resolve("1-5.json"), manifest(RUN));
    Path elsewhere = Files.write(folder.resolve("elsewhere"), manifest(RUN));
    Files.createSymbolicLink(run.resolve("2-5.json"), elsewhere);
    Files.write(run.resolve("3-5.json"), signed("null"));
    Files.write(run.resolve("4-5.json"), signed("{\"cut\":null}"));
    Files.write(run.resolve("8999999999999999999-5.json"), EVIL);
    for (String foreign :
        List.of("9999999999999999999-5.json", "5-99999999999999999999.json", "007-5.json")) {
      Files.write(run.resolve(foreign), EVIL);
    }
    List<String> unusable = new ArrayList<>();
    assertThat(new DirectoryStore(folder.resolve("store")).latest(RUN, unusable::add))
        .hasValueSatisfying(good -> assertThat(good.id()).isEqualTo(new CheckpointId(RUN, 1, 5)));
    assertThat(unusable)
        .hasSize(4)
        .allMatch(each -> each.contains(run.toString()))
        .noneMatch(each -> each.contains("java."))
        .anyMatch(each -> each.contains("2-5.json is no regular file"));
  }

  @Test
  void whatALinkLeadsToIsNotDeletedOrWritten() throws Exception {
    Path precious = Files.createDirectories(folder.resolve("home"));
    Files.writeString(precious.resolve("letter"), "mine");
    Path store = Files.createDirectories(folder.resolve("store"));
    Files.createSymbolicLink(store.resolve(RUN), precious);
    assertThatThrownBy(() -> new DirectoryStore(store).delete(RUN))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(store.resolve(RUN) + " is a link");
    assertThatThrownBy(() -> new DirectoryStore(store).put(RUN + "/letter", ByteBuffer.allocate(1)))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(store.resolve(RUN) + " is a link");
    assertThat(precious.resolve("letter")).hasContent("mine");
  }
}
