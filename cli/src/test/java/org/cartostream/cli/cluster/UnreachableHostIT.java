package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Cartostream;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.cluster.DeadCluster;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of two hosts, of which the one that is asked first cannot be reached. */
@Default(cluster = true)
class UnreachableHostIT {

  @TempDir private Path folder;

  private Path home;

  private Cluster cluster;

  @BeforeEach
  void make() throws Exception {
    home = folder.resolve("cluster");
    cluster = DeadCluster.withAHostThatIsAway(home);
  }

  @AfterEach
  void down() {
    assertThatThrownBy(cluster::down)
        .hasMessageStartingWith("something may be left of the cluster on 1 of 2 hosts (away");
  }

  private Cartostream run(String verb) {
    return Cartostream.run("cluster", verb, "--home", home);
  }

  @Test
  void statusSaysWhichHostItIsAndHowTheOthersAre() {
    Cartostream status = run("status");
    for (String server : new String[] {"zookeeper", "nimbus", "supervisor"}) {
      assertThat(status.out())
          .containsPattern(
              server
                  + " +away +127.0.0.2:\\d+ +its host cannot be reached: away \\(namespace\\) fails");
    }
    assertThat(status.out()).containsPattern("broker +here +127.0.0.1:\\d+ +down");
    assertThat(status.exitCode()).isEqualTo(1);
  }

  @Test
  void logsShowsWhatTheOthersHavePrinted() throws Exception {
    Files.writeString(home.resolve("here/logs/broker.log"), "has started\n");
    Cartostream logs = run("logs");
    assertThat(logs.out())
        .startsWith("== " + home.resolve("here/logs/broker.log") + "\nhas started\n")
        .contains("\n== no logs of a host: away (namespace) fails with ");
  }

  @Test
  void reviveStartsWhatIsOnTheOthersAndNamesTheHost() {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    Cartostream restart = run("revive");
    assertThat(restart.complaint())
        .startsWith("1 of 2 hosts cannot be reached (away (namespace) fails with ")
        .endsWith("; on the others started broker on here");
    assertThat(restart.exitCode()).isEqualTo(1);
    assertThat(cluster.states())
        .filteredOn(serverState -> serverState.role().equals("broker"))
        .singleElement()
        .matches(Cluster.ServerState::listens)
        .extracting(broker -> ProcessHandle.of(broker.pid()).orElseThrow().info().command().get())
        .asString()
        .as("the broker itself, and not the script that starts it")
        .contains("beam");
  }
}
