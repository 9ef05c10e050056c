package org.cartostream.run.engine;

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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.Logs;
import org.cartostream.run.deployment.Deployment;
import org.cartostream.run.deployment.LocalDeployment;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.testing.Nightly;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A replay waits for its service to register; the one that runs has another name. */
@Nightly
class AwaitedServiceIT {

  private static final RootSettings SETTINGS =
      Settings.build(RootSettings.class, Map.of("gateway.answerTimeoutSeconds", "1"));
  private static final Duration SOON = Duration.ofSeconds(60);

  /** No test takes as long: who waits so long waits for something else. */
  private static final int LONG_SECONDS = 600;

  private static LocalDeployment other;
  private static ZooKeeperAccess zookeeper;

  @TempDir private Path folder;

  private final RunMetrics runMetrics =
      new RunMetrics(Long.MAX_VALUE, System::nanoTime, RunObserver.NONE);
  private final ShutdownRequest shutdownRequest = new ShutdownRequest();

  @BeforeAll
  static void start() throws InterruptedException {
    other = LocalDeployment.open(SETTINGS.broker().withService("other"));
    zookeeper = other.start(SETTINGS);
    try (Registry registry = Registry.open(zookeeper, SETTINGS.registry())) {
      await(registry, Registry.Kind.SERVICES, "other");
    }
  }

  @AfterAll
  static void stop() {
    other.stop();
    other.close();
  }

  private static void await(Registry registry, Registry.Kind kind, String id) {
    Awaitility.await()
        .atMost(SOON)
        .until(
            () ->
                registry.list(kind).stream()
                    .anyMatch(registryEntry -> registryEntry.id().equals(id)));
  }

  /** Where the other service is; the one that the run starts there never registers. */
  private record Elsewhere(BrokerSettings broker) implements Deployment {

    @Override
    public BrokerSettings serviceBroker() {
      return broker;
    }

    @Override
    public BrokerSettings robotBroker() {
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
            own -> new Elsewhere(own.withUri(other.robotBroker().uri())),
            Optional::empty,
            Optional.empty(),
            startSeconds);
    try (LaserLog office = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults())) {
      engine.run(
          looked(runMetrics.watch(office), onFirstLook), runMetrics, folder, shutdownRequest);
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
    assertThat(runMetrics.failure())
        .contains("no answer to reading 1 for 1 s; is a service running at this broker?");
    assertThat(runMetrics.snapshot().readings().processed()).isZero();
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
    try (Registry registry = Registry.open(zookeeper, SETTINGS.registry())) {
      await(registry, Registry.Kind.ROBOTS, "r2d2");
      registered.set(true);
      registry.register(
          Registry.Kind.SERVICES,
          RegistryEntry.ofThisProcess("replay-r2d2", RegistryEntry.SERVICE));
      run.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    assertThat(atFirstLook).isCompletedWithValue(true);
  }

  @Test
  void waitsNoLongerThanTheUserDoes() throws Exception {
    CompletableFuture<Void> run = inBackground(() -> replay(LONG_SECONDS, () -> {}));
    try (Registry registry = Registry.open(zookeeper, SETTINGS.registry())) {
      await(registry, Registry.Kind.ROBOTS, "r2d2");
    }
    assertThat(run).isNotDone();
    shutdownRequest.request(130);
    run.get(SOON.toSeconds(), TimeUnit.SECONDS);

    assertThat(runMetrics.snapshot().readings().processed()).isZero();
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
