package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.cli.Cartostream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What the command refuses before it starts anything. */
@Quick
class ServiceCommandTest {

  @Test
  void refusesAServiceWithoutABroker() {
    Cartostream ended = Cartostream.run("service", "--particles", 10);
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.complaint()).contains("--broker").contains("broker.uri");
  }
}
