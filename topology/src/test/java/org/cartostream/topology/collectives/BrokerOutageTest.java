package org.cartostream.topology.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.broker.local.LocalRabbitMq;
import org.cartostream.slam.config.Settings;
import org.cartostream.topology.collectives.CollectiveException.Reason;
import org.junit.jupiter.api.Test;

/** Members that reach a broker only, and the broker goes and comes back. */
class BrokerOutageTest {

  private static final int SIZE = 3;
  private static final int BEFORE = 1;
  private static final int AFTER = 2;

  /** For calls that must not end by time, and what waits until a broker has started. */
  private static final CollectiveSettings PATIENT =
      Settings.with(
          CollectiveSettings.defaults().withTimeoutMillis(600_000),
          Map.of("connectTimeoutMillis", "90000"));

  private static Call<byte[][]> call(Group group, int rank, int epoch) {
    RoundKey key = new RoundKey(Group.ROBOT, epoch, 1);
    return group.member(rank).allGather(key, new byte[] {(byte) epoch, (byte) rank});
  }

  private static void bringsAll(Call<byte[][]> call, int epoch) {
    byte e = (byte) epoch;
    assertThat(Group.result(call)).isDeepEqualTo(new byte[][] {{e, 0}, {e, 1}, {e, 2}});
  }

  @Test
  void theCallsOfThatTimeEndAndLaterOnesGetThrough() throws Exception {
    assumeThat(LocalRabbitMq.missing()).as("needs a RabbitMQ").isEmpty();
    try (LocalRabbitMq broker = LocalRabbitMq.started();
        Group group = Group.throughABroker(SIZE, broker.uri(), PATIENT)) {
      IntStream.range(0, SIZE)
          .mapToObj(rank -> call(group, rank, BEFORE))
          .toList()
          .forEach(call -> bringsAll(call, BEFORE));

      RoundKey next = new RoundKey(Group.ROBOT, BEFORE, 2);
      List<Call<Void>> running =
          Stream.of(0, 1).map(rank -> group.member(rank).barrier(next)).toList();
      broker.stop();
      for (Call<Void> call : running) {
        assertThat(Group.failure(call).reason()).isEqualTo(Reason.LOST);
        assertThat(Group.failure(call)).hasMessageContaining("connection to the broker broke");
      }

      Call<byte[][]> early = call(group, 0, AFTER); // What it sends waits for the broker.
      broker.start();
      Call<byte[][]> one = call(group, 1, AFTER);
      Call<byte[][]> two = call(group, 2, AFTER);
      List.of(early, one, two).forEach(call -> bringsAll(call, AFTER));
    }
  }
}
