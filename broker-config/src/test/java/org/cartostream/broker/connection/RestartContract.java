package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.broker.Examples.SOON;
import static org.cartostream.broker.Examples.soon;

import java.util.stream.LongStream;
import org.cartostream.broker.Examples;
import org.junit.jupiter.api.Test;

/** What holds on every broker that can be stopped and started again with what it keeps. */
interface RestartContract {

  BrokerConnection connect(String party, BrokerListener listener);

  void stopBroker() throws Exception;

  void startBroker() throws Exception;

  /** Host and port, as messages name them. */
  String address();

  @Test
  default void outlivesARestartOfTheBroker() throws Exception {
    Examples.Collector service = new Examples.Collector(true);
    Examples.Outages outages = new Examples.Outages();
    try (BrokerConnection gateway = connect("gateway", outages);
        BrokerConnection topology = connect("service", BrokerListener.NONE)) {
      topology.subscribeToReadings(10, service);
      gateway.publish(Examples.reading("phoenix", 1));
      soon().until(() -> service.sequences.contains(1L));
      stopBroker();
      soon().until(() -> !gateway.isUp());
      LongStream.rangeClosed(2, 50).forEach(i -> gateway.publish(Examples.reading("phoenix", i)));
      startBroker();
      soon().until(() -> service.sequences.contains(50L));
      assertThat(gateway.flush(SOON)).isTrue();
    }
    assertThat(outages.downs).doesNotHaveDuplicates();
    assertThat(outages.downs).allMatch(why -> why.contains(address()));
    assertThat(outages.downs.get(0)).contains("broke: ");
    assertThat(outages.downs).anyMatch(why -> why.startsWith("no broker answers at "));
    assertThat(outages.ups).hasSize(1);
    // The first one's receipt may have been on its way when the broker stopped: it comes again
    // then.
    int from = service.sequences.lastIndexOf(1L);
    assertThat(from).isLessThanOrEqualTo(1);
    assertThat(service.sequences.subList(from, service.sequences.size()))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
  }
}
