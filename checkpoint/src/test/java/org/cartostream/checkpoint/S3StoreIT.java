package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against moto, a server that speaks S3's protocol and is none of ours. */
@Default
@Timeout(180)
class S3StoreIT {

  private static final String RUN = "tb3-1a";
  private static final Map<String, String> LOGIN =
      Map.of(
          "aws.accessKeyId",
          MotoServer.USER,
          "aws.secretAccessKey",
          MotoServer.SECRET,
          "aws.region",
          MotoServer.REGION);

  private static MotoServer server;

  private S3Store store;

  @BeforeAll
  static void login() throws Exception {
    server = MotoServer.start();
    LOGIN.forEach(System::setProperty);
  }

  @AfterAll
  static void stop() throws Exception {
    LOGIN.keySet().forEach(System::clearProperty);
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void open() {
    store = S3Store.at(MotoServer.BUCKET, "service/a", server.endpoint());
  }

  @AfterEach
  void delete() throws IOException {
    store.delete(RUN);
    store.close();
  }

  private static ByteBuffer buffer(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private Manifest checkpoint(long epoch, long reading) throws IOException {
    CheckpointId id = new CheckpointId(RUN, epoch, reading);
    CheckpointPart matcher = store.write(id, "matcher-0", buffer("particles after " + id));
    CheckpointPart shared = store.writeShared(RUN, "publisher-0.0", buffer("scans"));
    Manifest manifest =
        new Manifest(id, "0.2.0", new TreeMap<>(Map.of("seed", "1")), List.of(matcher, shared));
    store.commit(manifest);
    return manifest;
  }

  @Test
  void keepsAFileOfARunBesideItsCheckpoints() throws Exception {
    checkpoint(1, 250);
    assertThat(store.readBeside(RUN, "attempts.json")).isEmpty();
    store.writeBeside(RUN, "attempts.json", buffer("{}"));
    store.writeBeside(RUN, "attempts.json", buffer("{1}"));
    assertThat(store.readBeside(RUN, "attempts.json").orElseThrow()).asString().isEqualTo("{1}");

    store.deleteBefore(new CheckpointId(RUN, 2, 1));
    assertThat(store.readBeside(RUN, "attempts.json")).isPresent();
    store.delete(RUN);
    assertThat(store.readBeside(RUN, "attempts.json")).isEmpty();
  }

  @Test
  void keepsCheckpointsAsAFolderDoes() throws Exception {
    Instant before = Instant.now().minusSeconds(2);
    checkpoint(1, 250);
    Manifest latest = checkpoint(2, 240);
    List<String> unusable = new ArrayList<>();
    assertThat(store.latest(RUN, unusable::add)).contains(latest);
    assertThat(unusable).isEmpty();
    assertThat(store.read(latest.id(), latest.part("publisher-0.0"))).asString().isEqualTo("scans");
    assertThat(store.written(latest.id())).isAfter(before);
    assertThat(store.runs()).containsExactly(RUN);

    store.deleteBefore(latest.id());

    assertThat(store.files(RUN)).hasSize(3).noneMatch(file -> file.startsWith("1-250"));
    assertThat(store.latest(RUN, unusable::add)).contains(latest);
    assertThat(store.putFile("failed-tb3-7.json", buffer("{}")))
        .isEqualTo("s3://robots/service/a/failed-tb3-7.json");
    assertThat(store.filesBesideRuns()).containsExactly("failed-tb3-7.json");
    store.delete(RUN);
    assertThat(store.runs()).isEmpty();
    assertThat(store.latest(RUN, unusable::add)).isEmpty();
  }

  /** The server copies it; nothing is sent again. */
  @Test
  void aPartThatIsKeptWithALaterCutOutlivesItsOwn() throws Exception {
    Manifest before = checkpoint(1, 250);
    CheckpointPart part = before.part("matcher-0");
    CheckpointId later = new CheckpointId(RUN, 2, 260);
    store.keep(before.id(), part, later);
    store.deleteBefore(later);

    assertThat(store.read(later, part)).asString().isEqualTo("particles after " + before.id());
    assertThatThrownBy(() -> store.keep(before.id(), part, new CheckpointId(RUN, 3, 1)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("1-250.matcher-0");
  }

  /** A page of names has 1,000. */
  @Test
  void seesMoreNamesThanAPageHas() throws Exception {
    CheckpointId id = new CheckpointId(RUN, 1, 1);
    for (int i = 0; i < 1005; i++) {
      store.write(id, "matcher-" + i, buffer("" + i));
    }
    assertThat(store.files(RUN)).hasSize(1005);
  }

  @Test
  void whatIsMissingOrDamagedIsNamed() throws Exception {
    Manifest before = checkpoint(1, 100);
    Manifest damaged = checkpoint(1, 200);
    CheckpointPart part = damaged.part("matcher-0");
    store.put(RUN + "/1-200.matcher-0-" + part.sha256(), buffer("cut off"));
    List<String> unusable = new ArrayList<>();

    assertThat(store.latest(RUN, unusable::add)).contains(before);

    assertThat(unusable)
        .singleElement()
        .asString()
        .contains("its part 'matcher-0' has 7 of", "s3://robots/service/a/" + RUN + "/1-200.");
    store.remove(RUN + "/1-200.matcher-0-" + part.sha256());
    assertThatThrownBy(() -> store.read(damaged.id(), part))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("its part 'matcher-0' is missing");
    assertThatThrownBy(() -> store.get("none")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aBucketThatIsNotThereIsNamed() throws Exception {
    try (S3Store other = S3Store.at("nobodys", "", server.endpoint())) {
      assertThatThrownBy(() -> other.write(new CheckpointId(RUN, 1, 1), "matcher-0", buffer("x")))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "there is no bucket 'nobodys' of s3://nobodys: make it, or name another in"
                  + " checkpoint.folder");
      assertThatThrownBy(other::runs).hasMessageContaining("there is no bucket 'nobodys'");
    }
    assertThatThrownBy(() -> S3Store.at("s3:///folder"))
        .hasMessage("'s3:///folder' names no bucket of S3: s3://BUCKET/FOLDER does");
  }

  @Test
  void aLoginThatIsDeniedIsNamed() throws Exception {
    server.restart(1);
    try {
      assertThatThrownBy(() -> store.write(new CheckpointId(RUN, 1, 1), "matcher-0", buffer("x")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(" is denied (InvalidAccessKeyId): look at AWS_ACCESS_KEY_ID and");
    } finally {
      server.restart(Integer.MAX_VALUE);
    }
  }

  /** It is no damage: what was stored is there when the server is back. */
  @Test
  void aServerThatIsAwayIsNoLoss() throws Exception {
    server.stop();
    CheckpointId id = new CheckpointId(RUN, 1, 1);
    assertThatThrownBy(() -> store.write(id, "matcher-0", buffer("x")))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(CheckpointException.class)
        .hasMessageStartingWith("s3://robots/service/a/" + RUN + "/1-1.matcher-0")
        .hasMessageContaining("cannot be reached");
    server.restart(Integer.MAX_VALUE);
    CheckpointPart part = store.write(id, "matcher-0", buffer("x"));
    assertThat(store.read(id, part)).asString().isEqualTo("x");
  }
}
