package org.cartostream.bench.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.NetworkHosts;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A host of a cluster is drained, or cut off: runs go on elsewhere, to the bytes of the undisturbed
 * one.
 */
@Nightly(cluster = true)
class HostFailuresIT extends FailureTest {

  /** For what the suite has no time for: {@code -Dcartostream.soak=true}. */
  private static final String SOAK = "cartostream.soak";

  /** Of a host's packets are lost after its link was cut. */
  private static final int LOSS_PERCENT = 2;

  @Test
  void aHostThatIsDrained() throws Exception {
    Assumptions.assumeTrue(
        hosts.isPresent(), "no network namespaces here (see above): needs root, ip");
    Path home = cluster.folder();
    assertThat(Cartostream.run("cluster", "drain", "--home", home, "nobody").complaint())
        .startsWith("there is no host 'nobody'; the cluster's are " + NAME + "-1, ");
    try (ReplayedRun run = begin("drained", FAST, MIN)) {
      String host = service.hostOf(FaultTarget.MATCHERS);
      Cartostream drain = Cartostream.run("cluster", "drain", "--home", home, host);
      assertThat(drain.err()).isEmpty();
      System.out.print(drain.out());
      assertThat(drain.out()).startsWith(host + " has no workers any more; ");
      assertThat(service.hostOf(FaultTarget.MATCHERS)).isNotEqualTo(host);
      assertUndisturbed(run);
      assertDrained(host);
    } finally {
      cluster.restart(true);
    }
  }

  /** It is no fault, and nobody who revives servers has workers there again unasked. */
  private static void assertDrained(String host) {
    Path home = cluster.folder();
    Cartostream restart = Cartostream.run("cluster", "revive", "--home", home);
    assertThat(restart.out()).contains("all servers run", host + " is drained: ");
    Cartostream status = Cartostream.run("cluster", "status", "--home", home);
    assertThat(status.exitCode()).as(status.out()).isZero();
    assertThat(status.out()).containsPattern("supervisor +" + host + " .* drained: ");
    Cartostream health = Cartostream.run("cluster", "health", "--home", home);
    assertThat(health.out()).containsPattern("ok +supervisor on " + host + " +drained; ");
  }

  /** When it is back, its link still loses some of what comes. */
  @Test
  void aHostIsCutOffForHalfAMinute() throws Exception {
    cutOff("cut", FaultTarget.MATCHERS, Duration.ofSeconds(30));
  }

  /** After 30 s Storm starts the host's tasks elsewhere; the old ones come back 30 s later. */
  @Test
  @EnabledIfSystemProperty(named = SOAK, matches = "true")
  void tasksThatComeBackAfterAMinuteAreFencedOff() throws Exception {
    cutOff("long", FaultTarget.MATCHERS, Duration.ofSeconds(60));
  }

  @Test
  @EnabledIfSystemProperty(named = SOAK, matches = "true")
  void aDispatcherThatComesBackAfterAMinuteIsNotHeard() throws Exception {
    cutOff("long-head", FaultTarget.DISPATCHER, Duration.ofSeconds(60));
  }

  private static void cutOff(String test, FaultTarget target, Duration outage) throws Exception {
    Assumptions.assumeTrue(
        hosts.isPresent(), "no network namespaces here (see above): needs root, ip");
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/nft")), "there is no nft: apt install nftables");
    NetworkHosts links = hosts.get();
    try (ReplayedRun run = begin(test, SLOW, MIN)) {
      String host = service.hostOf(target);
      links.lose(host, LOSS_PERCENT);
      links.link(host, false);
      try {
        await().pollDelay(outage).atMost(outage.multipliedBy(2)).until(() -> true);
        assertThat(run.answered()).as("the run waits, or goes on").isLessThan(READINGS);
      } finally {
        links.link(host, true);
      }
      assertUndisturbed(run);
      links.lose(host, 0);
    }
  }
}
