package org.cartostream.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EmbeddedBrokerTest extends BrokerContract {

  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Override
  String uri() {
    return broker.uri();
  }

  @Test
  void leavesNothingBehind() {
    String uri;
    Path folder;
    try (EmbeddedBroker second = EmbeddedBroker.start()) {
      uri = second.uri();
      folder = second.folder();
      assertThat(folder).isDirectory();
    }
    assertThat(folder).doesNotExist();
    assertThatThrownBy(
            () ->
                BrokerConnection.open(
                    BrokerSettings.defaults().withUri(uri), "late", BrokerListener.NONE))
        .hasMessageContaining("no broker answers at 127.0.0.1:");
  }
}
