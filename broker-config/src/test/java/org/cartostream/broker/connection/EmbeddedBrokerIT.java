package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cartostream.broker.Examples.SOON;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.Examples;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.local.CuttableProxy;
import org.cartostream.broker.names.BrokerNames;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT extends ServerContract {

  private static final long MOST_SECONDS = 60;

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

  /** As when the broker's answer to the closing is late, or the wire breaks in that moment. */
  @Test
  void aConnectionMayBreakWhenItsDeliveriesHaveEnded() throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExecutorService deliveries = AmqpConnections.deliveryExecutor("deliveries");
    BrokerAddress address = BrokerAddress.of(uri(), Map.of());
    try (CuttableProxy wire = new CuttableProxy(address.port())) {
      BrokerSettings settings =
          BrokerSettings.defaults().withUri(uri().replace(":" + address.port(), ":" + wire.port()));
      BrokerLink brokerLink =
          AmqpLink.open(
              BrokerAddress.of(settings.uri(), Map.of()),
              settings,
              "gateway",
              deliveries,
              new Outbox(10, 1000));
      brokerLink.declareAnswers(robot);
      brokerLink.consume(
          BrokerNames.certainQueue(robot), true, 1, new Codec(1000), new Examples.Collector(true));
      Thread reader =
          Thread.getAllStackTraces().keySet().stream()
              .filter(each -> each.getName().equals("AMQP Connection 127.0.0.1:" + wire.port()))
              .findFirst()
              .orElseThrow();
      Thread.setDefaultUncaughtExceptionHandler(
          (thread, e) -> {
            if (thread == reader) {
              uncaught.add(e);
            }
          });
      deliveries.shutdownNow();
      wire.cut();
      reader.join(SOON.toMillis());
      assertThat(reader.isAlive()).isFalse();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).isEmpty();
  }

  /** Qpid does not know its own names in Turkish, where the small letter of I is another. */
  static final class InTurkish {
    private InTurkish() {}

    public static void main(String[] unused) {
      EmbeddedBroker.start();
    }
  }

  /** An Error is no exception: its threads would keep the process, and nobody would get a word. */
  @Test
  void leavesNothingBehindWhereAnErrorKeepsItFromStarting(@TempDir Path folder) throws Exception {
    Path said = folder.resolve("said");
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=tr",
                "-Duser.country=TR",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                InTurkish.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(said).content().contains("ExceptionInInitializerError");
    assertThat(temporary).isEmptyDirectory();
  }
}
