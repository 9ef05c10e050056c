package org.cartostream.bench.soak;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of the metrics that the workers of a topology on this machine publish.
 *
 * @param firstPort topology.metricsPort, from which on each worker has a port, unless another
 *     program had it first; workers on other ports are not found
 * @param ports number of ports that are looked at
 */
record WorkerMetrics(int firstPort, int ports) {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerMetrics.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /**
   * Metrics of one worker.
   *
   * @param heapBytes used heap, with what the next collection will free
   * @param waiting number of tuples and messages that wait for the worker's tasks
   */
  public record WorkerSample(int port, long heapBytes, long waiting) {}

  /** Returns the samples of all workers that answer. */
  public List<WorkerSample> scrape() throws InterruptedException {
    List<WorkerSample> workers = new ArrayList<>();
    for (int port = firstPort; port < firstPort + ports; port++) {
      try {
        String page = page(port);
        long waiting =
            sum(page, "cartostream_queue_tuples\\{.*}")
                + sum(page, "cartostream_unacknowledged_messages");
        workers.add(
            new WorkerSample(port, sum(page, "jvm_memory_used_bytes\\{area=\"heap\".*}"), waiting));
      } catch (IOException nobodyThere) {
        LOG.debug("nobody shows figures at port {}", port, nobodyThere);
      }
    }
    return workers;
  }

  private static String page(int port) throws IOException, InterruptedException {
    URI address = URI.create("http://127.0.0.1:" + port + "/metrics");
    HttpRequest request = HttpRequest.newBuilder(address).timeout(PATIENCE).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static long sum(String page, String name) {
    Matcher samples = Pattern.compile("^" + name + " (\\S+)$", Pattern.MULTILINE).matcher(page);
    double sum = 0;
    while (samples.find()) {
      sum += Double.parseDouble(samples.group(1));
    }
    return Math.round(sum);
  }
}
