package org.cartostream.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.local.LocalRabbitMq;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.log.LogEntry;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real RabbitMQ goes away in the middle of a run and comes back. */
@Timeout(180)
class RestartTest {

  private static final long READINGS = 400;
  private static final Duration SOON = Duration.ofSeconds(60);

  @BeforeAll
  static void needsRabbitMq() {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
  }

  private static ReplayReport run(
      LocalRabbitMq node,
      String robot,
      GatewaySettings gateway,
      Sink sink,
      ReplayListener listener,
      Iterator<LogEntry> log)
      throws InterruptedException {
    BrokerSettings broker = BrokerSettings.defaults().withUri(node.uri());
    try (Replay replay =
        Replay.open(
            robot,
            Pace.MAX,
            gateway,
            sink,
            listener,
            outages -> BrokerConnection.open(broker, "gateway", outages))) {
      return replay.run(log);
    }
  }

  @Test
  void losesNothingAndTakesNothingTwiceOverARestart() throws Exception {
    try (LocalRabbitMq node = LocalRabbitMq.started();
        FakeService service = new FakeService(node.uri()).serve()) {
      CompletableFuture<Void> restart = new CompletableFuture<>();
      Watcher watcher = new Watcher(node, restart);
      MemorySink sink = new MemorySink();
      ReplayReport report =
          run(node, "phoenix", GatewaySettings.defaults(), sink, watcher, Logs.of(READINGS));
      restart.join();
      assertThat(report.failure()).isEmpty();
      assertThat(report.counts()).isEqualTo(new ReadingCounts(READINGS, READINGS, 0, 0, 0));
      assertThat(report.outages()).isEqualTo(1);
      assertThat(watcher.news).doesNotHaveDuplicates().endsWith("back");
      assertThat(watcher.news.get(0)).contains("the connection to the broker at 127.0.0.1:");
      assertThat(service.taken).hasSize((int) READINGS);
      assertThat(sink.path)
          .extracting(PathPose::sequence)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, READINGS).boxed().toList());
    }
  }

  @Test
  void givesUpWhenTheBrokerDoesNotComeBack() throws Exception {
    try (LocalRabbitMq node = LocalRabbitMq.started();
        FakeService service = new FakeService(node.uri()).serve()) {
      ReplayListener stopsTheNode =
          new Watcher(node, new CompletableFuture<>()) {
            @Override
            void interfere() {
              stopNode();
            }
          };
      GatewaySettings impatient = new GatewaySettings(2, 5, 50, 64);
      Iterator<LogEntry> log = Logs.endless(i -> {});
      ReplayReport report = run(node, "icarus", impatient, new MemorySink(), stopsTheNode, log);
      assertThat(report.failure()).contains("the broker has been away for 5 s");
      ReadingCounts counts = report.counts();
      assertThat(counts.lost()).isEqualTo(2);
      assertThat(counts.read()).isEqualTo(counts.processed() + counts.lost());
      assertThat(service.taken.size()).isBetween((int) counts.processed(), (int) counts.read());
    }
  }

  /** Restarts the node beside the replay after 100 readings; it is away before there are 150. */
  private static class Watcher extends Unheard {

    final List<String> news = new CopyOnWriteArrayList<>();
    private final LocalRabbitMq node;
    private final CompletableFuture<Void> done;
    private final CountDownLatch away = new CountDownLatch(1);
    private long answered;

    Watcher(LocalRabbitMq node, CompletableFuture<Void> done) {
      this.node = node;
      this.done = done;
    }

    @Override
    public void onOutcome(Outcome outcome) {
      if (++answered == 100) {
        new Thread(this::interfere, "interferes").start();
      } else if (answered == 150) {
        await().atMost(SOON).until(() -> away.getCount() == 0);
      }
    }

    void interfere() {
      try {
        stopNode();
        node.start();
        done.complete(null);
      } catch (Exception e) {
        done.completeExceptionally(e);
      }
    }

    void stopNode() {
      try {
        node.stop();
        away.countDown();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void onOutage(String why) {
      news.add(why);
    }

    @Override
    public void onBack() {
      news.add("back");
    }
  }
}
