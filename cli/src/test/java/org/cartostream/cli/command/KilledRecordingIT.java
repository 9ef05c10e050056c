package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.ros.bag.McapReader;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Nightly;
import org.cartostream.web.recording.RunRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording whose process was killed. */
@Nightly
class KilledRecordingIT {

  private static final Duration SOON = Duration.ofMinutes(3);

  @TempDir private Path folder;

  private static boolean hasChunks(Path file, int chunks) throws IOException {
    if (!Files.exists(file) || Files.size(file) < 100) {
      return false;
    }
    Set<Long> records = new HashSet<>();
    try (McapReader recording = McapReader.open(file)) {
      while (recording.next() != null) {
        records.add(recording.place().record());
      }
    }
    return records.size() >= chunks;
  }

  private static HttpResponse<String> get(String url) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void itPlaysAsFarAsItGoes() throws Exception {
    Path out = folder.resolve("out");
    Path file = out.resolve(RunRecorder.FILE);
    Process killed =
        CartostreamProcess.start(
            folder.resolve("process.txt"),
            "replay",
            Logs.OFFICE,
            "--particles",
            5,
            "--rate",
            8,
            "--out",
            out);
    await().atMost(SOON).until(() -> hasChunks(file, 2) || !killed.isAlive());
    assertThat(killed.isAlive()).as(Files.readString(folder.resolve("process.txt"))).isTrue();
    killed.destroyForcibly().waitFor();

    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    ShutdownRequest ctrlC = new ShutdownRequest();
    CompletableFuture<Cartostream> view =
        CompletableFuture.supplyAsync(() -> Cartostream.run(ctrlC, "view", out, "--web=" + port));
    String url = "http://127.0.0.1:" + port + "/api/recording";
    await().atMost(SOON).ignoreExceptions().until(() -> get(url).statusCode() == 200);
    JsonNode run = new ObjectMapper().readTree(get(url).body());
    int steps = run.at("/steps/seconds").size();
    assertThat(steps).isBetween(2, 319);
    assertThat(run.get("damage").asText()).contains("was cut off");
    int map = run.at("/steps/map").get(steps - 1).asInt();
    assertThat(map).isNotNegative();
    assertThat(get(url + "/map?shown=-1&wanted=" + map).statusCode()).isEqualTo(200);
    assertThat(get(url + "/scan?step=" + (steps - 1)).body()).contains("[");
    ctrlC.request(ShutdownRequest.BY_CTRL_C);
    assertThat(view.join().exitCode()).isZero();
    assertThat(view.join().err()).contains("run.mcap: the recording was cut off");
  }
}
