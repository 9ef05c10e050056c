package org.cartostream.sim.ros;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.cartostream.ros.local.FakeNode;
import org.cartostream.sim.robot.Simulation;
import org.cartostream.sim.world.SdfWorld;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RosDriveTest {

  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
  private static final int SCANS = 12;

  /** For so long the machine stands still. */
  private static final long STANDSTILL_NANOS = SCANS / 2 * PERIOD_NANOS;

  private final FakeNode graph = new FakeNode(Map.of(), Map.of());

  /** Whoever hears them has room for a few: of the others it would know no odometry. */
  @Test
  void doesNotMakeUpForAStandstillByManyScansAtOnce() {
    Simulation simulation = new Simulation(SdfWorld.load("office"), 1, 0);
    double rate = (double) simulation.periodNanos() / PERIOD_NANOS;
    RosDrive drive = new RosDrive(graph, () -> simulation, rate);
    AtomicLong awake = new AtomicLong();
    drive.run(
        () -> {
          int scans = graph.published("/scan").size();
          if (scans == SCANS / 2) {
            standStill();
            awake.set(System.nanoTime());
          }
          return scans == SCANS;
        });

    assertThat(graph.published("/odom")).hasSize(SCANS);
    assertThat(System.nanoTime() - awake.get()).isGreaterThan((SCANS / 2 - 2) * PERIOD_NANOS);
  }

  private static void standStill() {
    long end = System.nanoTime() + STANDSTILL_NANOS;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
