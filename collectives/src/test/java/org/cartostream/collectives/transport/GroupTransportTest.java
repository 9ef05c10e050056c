package org.cartostream.collectives.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class GroupTransportTest {

  @Test
  void anUnknownNameIsRefusedWithThoseThatAreThere() {
    assertThat(GroupTransport.named("tcp").crossesProcesses()).isTrue();
    assertThatThrownBy(() -> GroupTransport.named("infiniband"))
        .hasMessage("'infiniband' is no transport; there are memory, rabbitmq, shared-memory, tcp");
  }
}
