package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.cli.SmallDisk;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replay through a RabbitMQ whose disk is low from the beginning, read-only, or slow. */
@Nightly
@Timeout(300)
class BrokerDiskIT {

  /** RabbitMQ takes nothing from those who publish while less is free. */
  private static final long FREE_BYTES = 8 << 20;

  private static final String CONFIGURATION =
      "loopback_users = none\ndisk_free_limit.absolute = " + FREE_BYTES + "\n";

  @TempDir private Path folder;

  private SmallDisk disk;

  @BeforeEach
  void requireRabbitMq() {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
  }

  @AfterEach
  void unmount() {
    if (disk != null) {
      disk.close();
    }
  }

  /**
   * Starts it, with its own folder on the disk.
   *
   * @param options of the mount, beside the size
   * @param environment of its process, beside the usual
   */
  private LocalRabbitMq broker(String options, String environment) throws Exception {
    disk = SmallDisk.mount(folder.resolve("mnesia"), "size=48m" + options);
    if (options.isEmpty() && environment.isEmpty()) {
      disk.fillUpTo(FREE_BYTES / 2);
    }
    String variables =
        "export ERL_CRASH_DUMP_BYTES=0 RABBITMQ_MNESIA_BASE=%s%s\n"
            .formatted(disk.folder(), environment);
    return LocalRabbitMq.started(
        home -> Map.of("rabbitmq.conf", CONFIGURATION, "rabbitmq-env.conf", variables));
  }

  @Test
  void isLowAndTheReplayWaitsForRoomAndSaysSo() throws Exception {
    try (LocalRabbitMq broker = broker("", "");
        ReplayOnSmallDisks replay = new ReplayOnSmallDisks(folder, "storm", "")) {
      Process process = replay.start(Map.of(), "--broker", broker.uri());
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> replay.said().contains("low on disk") || !process.isAlive());
      assertThat(replay.said()).contains("takes no messages at the moment");
      disk.makeRoom();
      assertThat(replay.end(process)).isZero();
      replay.checkResults();
    }
  }

  /** Then a replay finds nobody, as without a broker. */
  @Test
  void isReadOnlyAndTheBrokerDoesNotStart() {
    assertThatThrownBy(() -> broker(",ro", ""))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("RabbitMQ does not start: ");
  }

  @Test
  void isSlowAndTheBytesAreTheSame(@TempDir Path shared) throws Exception {
    Path library = SlowDiskIT.compile("slow-disk", shared);
    Path slow = folder.toRealPath().resolve("mnesia");
    try (LocalRabbitMq broker =
            broker("", " LD_PRELOAD=%s SLOW_FOLDER=%s".formatted(library, slow));
        ReplayOnSmallDisks replay = new ReplayOnSmallDisks(folder, "storm", "")) {
      assertThat(ProcessHandle.current().descendants())
          .filteredOn(each -> each.info().command().orElse("").endsWith("beam.smp"))
          .singleElement()
          .satisfies(
              each ->
                  assertThat(Path.of("/proc", "" + each.pid(), "maps"))
                      .content()
                      .contains(library.toString()));
      assertThat(replay.end(replay.start(Map.of(), "--broker", broker.uri()))).isZero();
      replay.checkResults();
    }
  }
}
