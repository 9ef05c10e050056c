package org.cartostream.run.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.topology.metrics.Readiness;
import org.cartostream.topology.metrics.StatusServer;

/**
 * Meters of a live robot's gateway, and the readiness of its robot, broker and service. A {@link
 * StatusServer} shows both if the settings ask for one. The meters stay registered until the
 * process ends. Owns the server; thread-safe.
 */
public final class GatewayMeters implements LiveListener, AutoCloseable {

  private final Tags robot;
  private final Counter outages;
  private final Readiness robotReady = new Readiness("robot");
  private final Readiness brokerReady = new Readiness("broker");
  private final Readiness serviceReady = new Readiness("service");
  private final Optional<StatusServer> server;
  private volatile boolean isAway;

  /**
   * @param id the robot's id
   * @throws ExitException if the status server cannot listen at the configured address
   */
  public GatewayMeters(String id, GatewaySettings settings) {
    server = settings.metricsHost().isEmpty() ? Optional.empty() : Optional.of(serve(settings));
    robot = Tags.of("robot", id);
    outages =
        Counter.builder("cartostream.gateway.outages")
            .tags(robot)
            .description("Outages of the broker")
            .register(Metrics.globalRegistry);
  }

  private static StatusServer serve(GatewaySettings settings) {
    try {
      StatusServer server =
          StatusServer.open(
              "gateway.metrics", settings.metricsHost(), settings.metricsPort(), () -> {});
      server.start();
      return server;
    } catch (UncheckedIOException e) {
      throw ExitException.failed(e.getMessage(), e);
    }
  }

  private void count(String outcome) {
    Counter.builder("cartostream.gateway.readings")
        .tags(robot.and("outcome", outcome))
        .description("Readings by outcome")
        .register(Metrics.globalRegistry)
        .increment();
  }

  private void gauge(String name, String unit, String description, DoubleSupplier value) {
    Gauge.builder(name, value::getAsDouble)
        .tags(robot)
        .baseUnit(unit)
        .description(description)
        .strongReference(true)
        .register(Metrics.globalRegistry);
  }

  /** Notes that the robot is in its ROS graph and publishes scans. */
  public void joined() {
    robotReady.set(true);
  }

  /**
   * Notes that the gateway is connected to the broker, and registers its gauges.
   *
   * @param waiting returns the number of readings that wait to be sent
   * @param scanAt returns the time of the last scan, by {@link System#nanoTime}
   */
  public void connected(IntSupplier waiting, LongSupplier scanAt) {
    brokerReady.set(true);
    serviceReady.set(true); // Until onSilence.
    gauge("cartostream.gateway.backlog", "readings", "Readings to be sent", waiting::getAsInt);
    gauge(
        "cartostream.gateway.reading.age",
        "seconds",
        "Time since the robot's last scan",
        () -> (System.nanoTime() - scanAt.getAsLong()) / (double) TimeUnit.SECONDS.toNanos(1));
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    serviceReady.set(true);
    boolean isProcessed = outcome instanceof Outcome.Processed;
    count(isProcessed ? "processed" : outcome instanceof Outcome.Refused ? "refused" : "lost");
  }

  @Override
  public void onSkipped(long stampNanos, SkipReason why) {
    count("skipped");
  }

  @Override
  public void onSilence(String why) {
    serviceReady.set(false);
  }

  @Override
  public void onOutage(String why) {
    if (!isAway) { // onOutage is called again when the reason changes.
      outages.increment();
    }
    isAway = true;
    brokerReady.set(false);
  }

  @Override
  public void onReconnect() {
    isAway = false;
    brokerReady.set(true);
  }

  @Override
  public void onRestart(String why) {}

  @Override
  public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) {}

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> path) {}

  @Override
  public void close() {
    server.ifPresent(StatusServer::close);
    robotReady.close();
    brokerReady.close();
    serviceReady.close();
  }
}
