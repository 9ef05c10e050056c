package org.cartostream.bench.recovery;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;

/** Processes of a cluster die while a run goes on. */
@Nightly(cluster = true)
class ClusterFailuresIT extends FailureTest {

  @Test
  void fourOfThePartsThatCanDie() throws Exception {
    List<FaultTarget> all = new ArrayList<>(Arrays.asList(FaultTarget.values()));
    all.removeIf(target -> !target.isThere(mode));
    Collections.shuffle(all, random);
    for (FaultTarget target : all.subList(0, 4)) {
      int moment = MIN + random.nextInt(READINGS / 2);
      System.out.printf("%s after reading %d%n", target, moment);
      try (ReplayedRun run = begin(target.toString(), FAST, moment)) {
        service.kill(target, run);
        assertUndisturbed(run);
      }
    }
  }

  @Test
  void aSecondDeathDuringTheRecovery() throws Exception {
    try (ReplayedRun run = begin("second", FAST, MIN)) {
      List<ProcessHandle> next = service.find(FaultTarget.MATCHERS);
      long killed = service.kill(FaultTarget.DISPATCHER, run);
      await().atMost(Duration.ofSeconds(MAX_SECONDS)).until(() -> service.isRestored(killed));
      service.kill(FaultTarget.MATCHERS, next, run);
      assertUndisturbed(run);
    }
  }
}
