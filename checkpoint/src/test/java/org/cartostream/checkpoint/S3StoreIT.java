package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Against moto, a server that speaks S3's protocol and is none of ours. */
@Timeout(180)
class S3StoreIT {

  private static final String BUCKET = "robots";
  private static final String RUN = "tb3-1a";
  private static final Path MOTO =
      Path.of(
          System.getProperty("user.home"), ".cache", "cartostream", "moto", "bin", "moto_server");
  private static final Map<String, String> LOGIN =
      Map.of("aws.accessKeyId", "ours", "aws.secretAccessKey", "secret", "aws.region", "eu-west-1");

  private static int port;
  private static Process server;

  private S3Store store;

  @BeforeAll
  static void login() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(MOTO), "no moto server here: scripts/test installs it in ~/.cache");
    LOGIN.forEach(System::setProperty);
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    startServer();
  }

  private static void startServer() throws Exception {
    startServer(Integer.MAX_VALUE);
  }

  /**
   * @param trusted so many first requests are served whoever asks
   */
  private static void startServer(int trusted) throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(MOTO.toString(), "-H", "127.0.0.1", "-p", "" + port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    command.environment().put("INITIAL_NO_AUTH_ACTION_COUNT", "" + trusted);
    server = command.start();
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!listens()) {
      assertThat(server.isAlive()).isTrue();
      assertThat(System.nanoTime()).as("moto does not listen").isLessThan(end);
      Thread.onSpinWait();
    }
    try (S3Client client =
        S3Client.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .endpointOverride(java.net.URI.create(endpoint()))
            .forcePathStyle(true)
            .region(Region.EU_WEST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("ours", "secret")))
            .build()) {
      client.createBucket(
          request ->
              request
                  .bucket(BUCKET)
                  .createBucketConfiguration(each -> each.locationConstraint("eu-west-1")));
    }
  }

  private static boolean listens() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static void stopServer() throws InterruptedException {
    server.destroyForcibly().waitFor();
  }

  private static String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  @AfterAll
  static void stop() throws Exception {
    LOGIN.keySet().forEach(System::clearProperty);
    if (server != null) {
      stopServer();
    }
  }

  @BeforeEach
  void open() {
    store = S3Store.at(BUCKET, "service/a", endpoint());
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
    Cut cut = new Cut(RUN, epoch, reading);
    Part matcher = store.write(cut, "matcher-0", buffer("particles after " + cut));
    Part shared = store.writeShared(RUN, "publisher-0.0", buffer("scans"));
    Manifest manifest =
        new Manifest(cut, "0.2.0", new TreeMap<>(Map.of("seed", "1")), List.of(matcher, shared));
    store.commit(manifest);
    return manifest;
  }

  @Test
  void keepsCheckpointsAsAFolderDoes() throws Exception {
    Instant before = Instant.now().minusSeconds(2);
    checkpoint(1, 250);
    Manifest latest = checkpoint(2, 240);
    List<String> unusable = new ArrayList<>();
    assertThat(store.latest(RUN, unusable::add)).contains(latest);
    assertThat(unusable).isEmpty();
    assertThat(store.read(latest.cut(), latest.part("publisher-0.0")))
        .asString()
        .isEqualTo("scans");
    assertThat(store.written(latest.cut())).isAfter(before);
    assertThat(store.runs()).containsExactly(RUN);

    store.deleteBefore(latest.cut());

    assertThat(store.files(RUN)).hasSize(3).noneMatch(file -> file.startsWith("1-250"));
    assertThat(store.latest(RUN, unusable::add)).contains(latest);
    assertThat(store.putFile("failed-tb3-7.json", buffer("{}")))
        .isEqualTo("s3://robots/service/a/failed-tb3-7.json");
    assertThat(store.filesBesideRuns()).containsExactly("failed-tb3-7.json");
    store.delete(RUN);
    assertThat(store.runs()).isEmpty();
    assertThat(store.latest(RUN, unusable::add)).isEmpty();
  }

  /** A page of names has 1,000. */
  @Test
  void seesMoreNamesThanAPageHas() throws Exception {
    Cut cut = new Cut(RUN, 1, 1);
    for (int i = 0; i < 1005; i++) {
      store.write(cut, "matcher-" + i, buffer("" + i));
    }
    assertThat(store.files(RUN)).hasSize(1005);
  }

  @Test
  void whatIsMissingOrDamagedIsNamed() throws Exception {
    Manifest before = checkpoint(1, 100);
    Manifest damaged = checkpoint(1, 200);
    Part part = damaged.part("matcher-0");
    store.put(RUN + "/1-200.matcher-0-" + part.sha256(), buffer("cut off"));
    List<String> unusable = new ArrayList<>();

    assertThat(store.latest(RUN, unusable::add)).contains(before);

    assertThat(unusable)
        .singleElement()
        .asString()
        .contains("its part 'matcher-0' has 7 of", "s3://robots/service/a/" + RUN + "/1-200.");
    store.remove(RUN + "/1-200.matcher-0-" + part.sha256());
    assertThatThrownBy(() -> store.read(damaged.cut(), part))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("its part 'matcher-0' is missing");
    assertThatThrownBy(() -> store.get("none")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aBucketThatIsNotThereIsNamed() throws Exception {
    try (S3Store other = S3Store.at("nobodys", "", endpoint())) {
      assertThatThrownBy(() -> other.write(new Cut(RUN, 1, 1), "matcher-0", buffer("x")))
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
    stopServer();
    startServer(1);
    try {
      assertThatThrownBy(() -> store.write(new Cut(RUN, 1, 1), "matcher-0", buffer("x")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(" is denied (InvalidAccessKeyId): look at AWS_ACCESS_KEY_ID and");
    } finally {
      stopServer();
      startServer();
    }
  }

  /** It is no damage: what was stored is there when the server is back. */
  @Test
  void aServerThatIsAwayIsNoLoss() throws Exception {
    stopServer();
    Cut cut = new Cut(RUN, 1, 1);
    assertThatThrownBy(() -> store.write(cut, "matcher-0", buffer("x")))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(CheckpointException.class)
        .hasMessageStartingWith("s3://robots/service/a/" + RUN + "/1-1.matcher-0")
        .hasMessageContaining("cannot be reached");
    startServer();
    Part part = store.write(cut, "matcher-0", buffer("x"));
    assertThat(store.read(cut, part)).asString().isEqualTo("x");
  }
}
