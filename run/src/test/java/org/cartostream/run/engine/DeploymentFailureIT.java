package org.cartostream.run.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.deployment.Deployment;
import org.cartostream.run.deployment.LocalDeployment;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Default;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that does not start at a broker that works, and what is reported of it. */
@Default
class DeploymentFailureIT {

  private static final RootSettings SETTINGS = Settings.defaults(RootSettings.class);

  @TempDir private Path folder;

  @Test
  void saysWhyTheServiceDidNotStartAlthoughItsEndFailsToo() {
    StormEngine engine =
        new StormEngine(SETTINGS, Pace.MAX, "robot", Ill::new, Optional::empty, Optional.empty());
    RunMetrics runMetrics = new RunMetrics(0, System::nanoTime, RunObserver.NONE);

    Throwable told =
        catchThrowable(
            () ->
                engine.run(Collections.emptyIterator(), runMetrics, folder, new ShutdownRequest()));

    assertThat(told).hasMessage("Nimbus does not answer");
    assertThat(told.getSuppressed()).singleElement().asString().endsWith("is not gone");
  }

  /** Storm would take some ten seconds to start and to stop. */
  @Test
  void startsNoServiceOnceTheEndIsWished() throws Exception {
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    Function<BrokerSettings, Deployment> deployments =
        broker -> {
          Deployment deployment = new Ill(broker);
          shutdownRequest.request(130);
          return deployment;
        };
    StormEngine engine =
        new StormEngine(
            SETTINGS, Pace.MAX, "robot", deployments, Optional::empty, Optional.empty());
    RunMetrics runMetrics = new RunMetrics(0, System::nanoTime, RunObserver.NONE);
    Engine.Cost cost = engine.run(Collections.emptyIterator(), runMetrics, folder, shutdownRequest);
    assertThat(cost.tasks()).isZero();
  }

  /** Nor does it end what has that one's name, or delete its queue. */
  @Test
  void startsNoServiceOnceAnotherProcessHasTheRun() {
    CompletableFuture<String> fenced = CompletableFuture.completedFuture("host-b, process 7");
    Function<BrokerSettings, Deployment> deployments =
        broker -> new Ill(LocalDeployment.open(broker), fenced, () -> {});
    StormEngine engine =
        new StormEngine(
            SETTINGS, Pace.MAX, "robot", deployments, Optional::empty, Optional.empty());
    RunMetrics runMetrics = new RunMetrics(0, System::nanoTime, RunObserver.NONE);

    Throwable told =
        catchThrowable(
            () ->
                engine.run(Collections.emptyIterator(), runMetrics, folder, new ShutdownRequest()));

    assertThat(told)
        .hasMessageStartingWith("the process at host-b, process 7 has taken the run of robot away")
        .hasNoSuppressedExceptions();
  }

  /** What is to be deleted may be the other's, which the registry tells seconds later only. */
  @Test
  void asksWhetherAnotherHasTheRunBeforeItDeletesAnything() {
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    CompletableFuture<String> fenced = new CompletableFuture<>();
    Function<BrokerSettings, Deployment> deployments =
        broker -> {
          shutdownRequest.request(130);
          return new Ill(
              LocalDeployment.open(broker), fenced, () -> fenced.complete("host-b, process 7"));
        };
    StormEngine engine =
        new StormEngine(
            SETTINGS, Pace.MAX, "robot", deployments, Optional::empty, Optional.empty());
    RunMetrics runMetrics = new RunMetrics(0, System::nanoTime, RunObserver.NONE);
    assertThat(
            catchThrowable(
                () -> engine.run(Collections.emptyIterator(), runMetrics, folder, shutdownRequest)))
        .hasMessageStartingWith("the process at host-b, process 7 has taken the run of robot away");
  }

  /**
   * A broker that works, and a service that neither starts nor ends.
   *
   * @param asked runs when it is asked whether another has the run
   */
  private record Ill(LocalDeployment local, CompletableFuture<String> fenced, Runnable asked)
      implements Deployment {

    Ill(BrokerSettings broker) {
      this(LocalDeployment.open(broker), new CompletableFuture<>(), () -> {});
    }

    @Override
    public boolean isFenced() {
      asked.run();
      return fenced.isDone();
    }

    @Override
    public CompletableFuture<String> claim(RegistrySettings settings, Consumer<String> says) {
      return fenced;
    }

    @Override
    public BrokerSettings serviceBroker() {
      return local.serviceBroker();
    }

    @Override
    public BrokerSettings robotBroker() {
      return local.robotBroker();
    }

    @Override
    public ZooKeeperAccess start(RootSettings settings) {
      throw ExitException.failed("Nimbus does not answer");
    }

    @Override
    public void stop() {
      throw ExitException.failed("the topology is not gone");
    }

    @Override
    public void close() {
      local.close();
    }
  }
}
