package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * moto on this machine: a server that speaks S3's protocol and is none of ours. It has one bucket,
 * and forgets all when it stops.
 */
public final class MotoServer implements AutoCloseable {

  public static final String BUCKET = "robots";
  public static final String REGION = "eu-west-1";
  public static final String USER = "ours";
  public static final String SECRET = "secret";

  private static final Path PROGRAM =
      Path.of(
          System.getProperty("user.home"), ".cache", "cartostream", "moto", "bin", "moto_server");
  private static final long START_SECONDS = 180;

  private final int port;
  private Process process;

  private MotoServer(int port) {
    this.port = port;
  }

  /** A server that serves whoever asks; the test is skipped where there is none. */
  public static MotoServer start() throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        Files.isExecutable(PROGRAM), "no moto server here: scripts/test installs it in ~/.cache");
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket free = new ServerSocket(0, 1, loopback)) {
      MotoServer server = new MotoServer(free.getLocalPort());
      free.close();
      server.restart(Integer.MAX_VALUE);
      return server;
    }
  }

  /**
   * Starts it again, empty.
   *
   * @param trusted so many first requests are served whoever asks, one of which makes the bucket
   */
  void restart(int trusted) throws IOException, InterruptedException {
    stop();
    ProcessBuilder command =
        new ProcessBuilder(PROGRAM.toString(), "-H", "127.0.0.1", "-p", "" + port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    command.environment().put("INITIAL_NO_AUTH_ACTION_COUNT", "" + trusted);
    process = command.start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!listens()) {
      assertThat(process.isAlive()).isTrue();
      assertThat(System.nanoTime()).as("moto does not listen").isLessThan(end);
      Thread.onSpinWait();
    }
    makeBucket();
  }

  private boolean listens() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private void makeBucket() throws IOException, InterruptedException {
    String where =
        "<CreateBucketConfiguration><LocationConstraint>%s</LocationConstraint></CreateBucketConfiguration>"
            .formatted(REGION);
    HttpResponse<String> made =
        ask(HttpRequest.newBuilder().PUT(HttpRequest.BodyPublishers.ofString(where)), "");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
  }

  private HttpResponse<String> ask(HttpRequest.Builder request, String query)
      throws IOException, InterruptedException {
    // Its default region is another, unless a request is signed for one.
    String signed =
        "AWS4-HMAC-SHA256 Credential=%s/20260101/%s/s3/aws4_request, SignedHeaders=host, Signature=x"
            .formatted(USER, REGION);
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(
            request
                .uri(URI.create(endpoint() + "/" + BUCKET + query))
                .header("Authorization", signed)
                .timeout(Duration.ofSeconds(START_SECONDS))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  /** What is in the bucket, as S3 lists it. */
  public String list() throws IOException, InterruptedException {
    return ask(HttpRequest.newBuilder().GET(), "?list-type=2").body();
  }

  /** Takes connections and answers nothing, from now on. */
  public void stall() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Answers again. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    String[] command = {"kill", "-" + name, Long.toString(process.pid())};
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  /** It is gone, and all that it had. */
  void stop() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  /** What a process needs to use it. */
  public Map<String, String> environment() {
    return Map.of(
        "AWS_ENDPOINT_URL_S3",
        endpoint(),
        "AWS_ACCESS_KEY_ID",
        USER,
        "AWS_SECRET_ACCESS_KEY",
        SECRET,
        "AWS_REGION",
        REGION);
  }

  @Override
  public void close() throws InterruptedException {
    stop();
  }
}
