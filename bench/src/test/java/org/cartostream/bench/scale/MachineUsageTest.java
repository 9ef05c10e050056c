package org.cartostream.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class MachineUsageTest {

  private static final int CORES = Runtime.getRuntime().availableProcessors();

  /** In 10 s, of which the own processes computed a tenth on all processors. */
  private static MachineUsage.Usage usage(double machine) {
    return new MachineUsage.Usage(10, CORES, machine);
  }

  @Test
  void othersUseWhatIsNotOurs() {
    assertThat(usage(0.5).others()).isCloseTo(0.4, within(1e-9));
    assertThat(usage(0.05).others()).as("a clock ticks rarely").isZero();
    assertThat(usage(0.5).left(0.2 * CORES)).isCloseTo(0.4, within(1e-9));
    assertThat(usage(1).left(0.2 * CORES)).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void aBusyMachineIsNamedOrRefused() {
    assertThat(usage(0.15).requireIdle(true)).isEmpty();
    assertThat(usage(0.5).requireIdle(false).orElseThrow())
        .startsWith("the machine is busy: other processes use 40 % of its processors, 10 %");
    assertThatThrownBy(() -> usage(0.5).requireIdle(true))
        .isInstanceOf(ExitException.class)
        .hasMessageContaining("without --strict it is measured all the same");
  }

  /** What this process computes is its own. */
  @Test
  void countsItsProcesses() {
    MachineUsage usage = MachineUsage.ofThisProcess();
    long end = System.nanoTime() + 300_000_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    MachineUsage.Usage used = usage.until();
    assertThat(used.seconds()).isGreaterThan(0.3);
    assertThat(used.ownSeconds()).isPositive();
  }
}
