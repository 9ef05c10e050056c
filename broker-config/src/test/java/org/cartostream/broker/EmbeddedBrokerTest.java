package org.cartostream.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
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
  void leavesNothingBehind() throws Exception {
    long before = folders();
    String uri;
    try (EmbeddedBroker second = EmbeddedBroker.start()) {
      uri = second.uri();
      assertThat(folders()).isEqualTo(before + 1);
    }
    assertThat(folders()).isEqualTo(before);
    assertThatThrownBy(
            () ->
                BrokerConnection.open(
                    BrokerSettings.defaults().withUri(uri), "late", BrokerListener.NONE))
        .hasMessageContaining("no broker answers at 127.0.0.1:");
  }

  private static long folders() throws Exception {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(path -> path.getFileName().toString().startsWith("cartostream-broker-"))
          .count();
    }
  }
}
