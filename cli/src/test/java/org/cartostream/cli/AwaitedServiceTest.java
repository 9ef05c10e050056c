package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.broker.register.Entry;
import org.cartostream.broker.register.Register;
import org.cartostream.gateway.Pace;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A replay waits for its service to register; the one that runs has another name. */
class AwaitedServiceTest {

  private static final RootSettings SETTINGS =
      Settings.build(RootSettings.class, Map.of("gateway.answerTimeoutSeconds", "1"));
  private static final Duration SOON = Duration.ofSeconds(60);

  /** No test takes as long: who waits so long waits for something else. */
  private static final int LONG_SECONDS = 600;

  private static LocalVenue other;
  private static ZooKeeperAccess zookeeper;

  @TempDir private Path folder;

  private final Ledger ledger = new Ledger(Long.MAX_VALUE, System::nanoTime);
  private final Interruption interruption = new Interruption();

  @BeforeAll
  static void start() throws InterruptedException {
    other = LocalVenue.open(SETTINGS.broker().withService("other"));
    zookeeper = other.start(SETTINGS);
    try (Register register = Register.open(zookeeper, SETTINGS.register())) {
      await(register, Register.Kind.SERVICES, "other");
    }
  }

  @AfterAll
  static void stop() {
    other.stop();
    other.close();
  }

  private static void await(Register register, Register.Kind kind, String id) {
    Awaitility.await()
        .atMost(SOON)
        .until(() -> register.list(kind).stream().anyMatch(entry -> entry.id().equals(id)));
  }

  /** Where the other service is; the one that the run starts there never registers. */
  private record Elsewhere(BrokerSettings broker) implements Venue {

    @Override
    public BrokerSettings operator() {
      return broker;
    }

    @Override
    public BrokerSettings robot() {
      return broker;
    }

    @Override
    public ZooKeeperAccess start(RootSettings settings) {
      return zookeeper;
    }

    @Override
    public void stop() {}

    @Override
    public void close() {}
  }

  /**
   * Replays the small log.
   *
   * @param startSeconds how long the service may take to register
   * @param onFirstLook runs before anything is read
   */
  private void replay(int startSeconds, Runnable onFirstLook) throws IOException {
    StormEngine engine =
        new StormEngine(
            SETTINGS,
            Pace.MAX,
            "r2d2",
            own -> new Elsewhere(own.withUri(other.robot().uri())),
            startSeconds);
    try (LaserLog office = LaserLog.open(Logs.OFFICE)) {
      engine.run(looked(ledger.watch(office), onFirstLook), ledger, folder, interruption);
    }
  }

  private static Iterator<LogEntry> looked(Iterator<LogEntry> log, Runnable onFirstLook) {
    return new Iterator<>() {
      private boolean looked;

      @Override
      public boolean hasNext() {
        if (!looked) {
          looked = true;
          onFirstLook.run();
        }
        return log.hasNext();
      }

      @Override
      public LogEntry next() {
        return log.next();
      }
    };
  }

  @Test
  void saysThatTheServiceHasNotRegisteredAndThenThatNobodyAnswers() throws Exception {
    List<String> warnings = new CopyOnWriteArrayList<>();
    Logger logger = (Logger) LoggerFactory.getLogger(StormEngine.class);
    Appender<ILoggingEvent> appender = listing(warnings);
    logger.addAppender(appender);
    try {
      inBackground(() -> replay(2, () -> {})).get(SOON.toSeconds(), TimeUnit.SECONDS);
    } finally {
      logger.detachAppender(appender);
    }

    assertThat(warnings).containsExactly("replay-r2d2 has not registered 2 s after its start");
    assertThat(ledger.failure())
        .contains("no answer to reading 1 for 1 s; is a service running at this broker?");
    assertThat(ledger.snapshot().readings().processed()).isZero();
  }

  private static Appender<ILoggingEvent> listing(List<String> words) {
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            words.add(event.getFormattedMessage());
          }
        };
    appender.start();
    return appender;
  }

  @Test
  void readsNothingOfTheLogBeforeTheServiceHasRegistered() throws Exception {
    AtomicBoolean registered = new AtomicBoolean();
    CompletableFuture<Boolean> atFirstLook = new CompletableFuture<>();
    CompletableFuture<Void> run =
        inBackground(() -> replay(LONG_SECONDS, () -> atFirstLook.complete(registered.get())));
    try (Register register = Register.open(zookeeper, SETTINGS.register())) {
      await(register, Register.Kind.ROBOTS, "r2d2");
      registered.set(true);
      register.enter(Register.Kind.SERVICES, Entry.ofThisProcess("replay-r2d2", Entry.SERVICE));
      run.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    assertThat(atFirstLook).isCompletedWithValue(true);
  }

  @Test
  void waitsNoLongerThanTheUserDoes() throws Exception {
    CompletableFuture<Void> run = inBackground(() -> replay(LONG_SECONDS, () -> {}));
    try (Register register = Register.open(zookeeper, SETTINGS.register())) {
      await(register, Register.Kind.ROBOTS, "r2d2");
    }
    assertThat(run).isNotDone();
    interruption.request(130);
    run.get(SOON.toSeconds(), TimeUnit.SECONDS);

    assertThat(ledger.snapshot().readings().processed()).isZero();
  }

  private interface Run {
    void run() throws IOException;
  }

  private static CompletableFuture<Void> inBackground(Run run) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            run.run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
