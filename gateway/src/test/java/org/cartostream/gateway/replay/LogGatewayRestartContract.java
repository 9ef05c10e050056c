package org.cartostream.gateway.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.gateway.TestBroker.soon;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.Logs;
import org.cartostream.gateway.MemorySink;
import org.cartostream.gateway.NoReplayListener;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.sink.Sink;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker goes away in the middle of a run and comes back. */
@Timeout(180)
abstract class LogGatewayRestartContract {

  static final int IMPATIENT_SECONDS = 5;
  private static final long READINGS = 400;

  /** As long as a RabbitMQ may take to stop. */
  private static final Duration STOPPED = Duration.ofSeconds(60);

  abstract BrokerConnection open(String party, BrokerListener listener);

  abstract void stopBroker() throws Exception;

  abstract void startBroker() throws Exception;

  /** The broker's host, as messages name it. */
  abstract String host();

  /** By which a run waits for answers. */
  abstract LongSupplier clock();

  /** Has {@link #clock} go on until a run that waits is over. */
  abstract void letTimePass(CompletableFuture<Void> over);

  private ReplayReport run(
      String robot,
      GatewaySettings gateway,
      Sink sink,
      ReplayListener listener,
      Iterator<LogEntry> log)
      throws InterruptedException {
    LogGateway.Options options =
        new LogGateway.Options(robot, Pace.MAX, gateway, sink, listener, Optional.empty());
    try (LogGateway logGateway =
        LogGateway.open(options, outages -> open("gateway", outages), clock())) {
      return logGateway.run(log, Optional.empty());
    }
  }

  @Test
  void losesNothingAndTakesNothingTwiceOverARestart() throws Exception {
    try (FakeService service = service()) {
      Watcher watcher = new Watcher(this::stopBroker, this::startBroker);
      MemorySink sink = new MemorySink();
      ReplayReport report =
          run(
              "phoenix",
              Settings.defaults(GatewaySettings.class),
              sink,
              watcher,
              Logs.of(READINGS));
      watcher.done.join();
      assertThat(report.failure()).isEmpty();
      assertThat(report.counts()).isEqualTo(new ReadingCounts(READINGS, READINGS, 0, 0, 0));
      assertThat(report.outages()).isEqualTo(1);
      assertThat(watcher.news).doesNotHaveDuplicates().endsWith("back");
      assertThat(watcher.news.get(0)).contains("the connection to the broker at " + host() + ":");
      assertThat(service.taken).hasSize((int) READINGS);
      assertThat(sink.path)
          .extracting(PathPose::sequence)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, READINGS).boxed().toList());
    }
  }

  @Test
  void givesUpWhenTheBrokerDoesNotComeBack() throws Exception {
    try (FakeService service = service()) {
      CompletableFuture<Void> over = new CompletableFuture<>();
      Watcher watcher = new Watcher(this::stopBroker, () -> letTimePass(over));
      GatewaySettings impatient = new GatewaySettings(2, IMPATIENT_SECONDS, 50, 64);
      Iterator<LogEntry> log = Logs.endless(i -> {});
      ReplayReport report = run("icarus", impatient, new MemorySink(), watcher, log);
      over.complete(null);
      watcher.done.join();
      assertThat(report.failure().orElseThrow())
          .startsWith("the broker has been away for 50 s: ")
          .contains(host());
      ReadingCounts counts = report.counts();
      assertThat(counts.lost()).isEqualTo(2);
      assertThat(counts.read()).isEqualTo(counts.processed() + counts.lost());
      assertThat(service.taken.size()).isBetween((int) counts.processed(), (int) counts.read());
    }
  }

  /** What is done to the broker. */
  private interface Act {
    void perform() throws Exception;
  }

  private FakeService service() {
    return new FakeService(open("fake service", BrokerListener.NONE)).serve();
  }

  /**
   * Stops the broker beside the replay after 100 readings, and then does what a test says; the
   * broker is away before there are 150.
   */
  private static final class Watcher extends NoReplayListener {

    private final List<String> news = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final CountDownLatch away = new CountDownLatch(1);
    private final Act stop;
    private final Act then;
    private long answered;

    Watcher(Act stop, Act then) {
      this.stop = stop;
      this.then = then;
    }

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {
      if (++answered == 100) {
        new Thread(this::interfere, "interferes").start();
      } else if (answered == 150) {
        soon().atMost(STOPPED).until(() -> away.getCount() == 0);
      }
    }

    private void interfere() {
      try {
        stop.perform();
        away.countDown();
        then.perform();
        done.complete(null);
      } catch (Exception e) {
        done.completeExceptionally(e);
      }
    }

    @Override
    public void onOutage(String why) {
      news.add(why);
    }

    @Override
    public void onReconnect() {
      news.add("back");
    }
  }
}
