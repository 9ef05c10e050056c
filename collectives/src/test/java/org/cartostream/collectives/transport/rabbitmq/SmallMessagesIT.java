package org.cartostream.collectives.transport.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * A broker that closes the channel at messages of more than 64 kB, as the shipped configuration.
 */
@Default
class SmallMessagesIT {

  private static final long SEED = 54;
  private static final int SIZE = 3;

  @Test
  void payloadsOfAnySizeComeThroughABrokerOfSmallMessages() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    String configuration =
        "loopback_users = none\nmax_message_size = " + FrameFragmentation.PIECE_BYTES + "\n";
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    try (LocalRabbitMq node =
            LocalRabbitMq.started(folder -> Map.of("rabbitmq.conf", configuration));
        Group group =
            Group.by(
                "rabbitmq",
                SIZE,
                CollectiveSettings.defaults(),
                UnaryOperator.identity(),
                Group.access(
                    BrokerSettings.defaults().withUri(node.uri()),
                    FrameFragmentation.PIECE_BYTES))) {
      int round = 0;
      for (int bytes : new int[] {60_000, 65_200, 65_536, 300_000}) {
        byte[][] payloads = new byte[SIZE][bytes];
        for (byte[] each : payloads) {
          random.nextBytes(each);
        }
        int number = ++round;
        for (CollectiveFuture<byte[][]> each :
            IntStream.range(0, SIZE)
                .mapToObj(rank -> group.member(rank).allGather(Group.round(number), payloads[rank]))
                .toList()) {
          assertThat(Group.result(each)).isDeepEqualTo(payloads);
        }
      }
    }
  }
}
