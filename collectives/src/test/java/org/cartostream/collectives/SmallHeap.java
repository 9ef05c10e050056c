package org.cartostream.collectives;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.settings.Settings;

/**
 * Moves 1 GB from one member to another, which begins when the credit is used up, through one heap.
 */
final class SmallHeap {

  private static final int ROBOTS = 16;
  private static final int ROUNDS = 160;
  private static final int BYTES = 400_000;

  private static final CountDownLatch CALLED = new CountDownLatch(ROBOTS);

  private SmallHeap() {}

  /**
   * @param arguments name of the transport
   */
  public static void main(String[] arguments) throws Exception {
    CollectiveSettings settings =
        Settings.with(
            CollectiveSettings.defaults().withTimeoutMillis(600_000),
            Map.of("maxWaitingBytes", "8000000", "maxPooledBytes", "4000000"));
    ExecutorService threads = Executors.newFixedThreadPool(2 * ROBOTS);
    try (Group group = Group.by(arguments[0], 2, settings, UnaryOperator.identity())) {
      List<Future<Long>> received = new ArrayList<>();
      for (int robot = 0; robot < ROBOTS; robot++) {
        int each = robot;
        threads.submit(() -> send(group.member(0), each));
        received.add(threads.submit(() -> receive(group.member(1), each)));
      }
      long bytes = 0;
      for (Future<Long> each : received) {
        bytes += each.get();
      }
      System.out.println(bytes + " bytes came");
    } finally {
      threads.shutdownNow();
    }
  }

  private static OperationKey key(int robot, int round) {
    return new OperationKey("robot-" + robot, 1, round);
  }

  private static byte[] payload(int robot, int round) {
    byte[] payload = new byte[BYTES];
    Arrays.fill(payload, (byte) (robot * 31 + round));
    return payload;
  }

  private static Void send(Communicator member, int robot) throws InterruptedException {
    for (int round = 1; round <= ROUNDS; round++) {
      CollectiveFuture<byte[]> call = member.broadcast(key(robot, round), 0, payload(robot, round));
      CALLED.countDown();
      call.await();
    }
    return null;
  }

  private static long receive(Communicator member, int robot) throws InterruptedException {
    long bytes = 0;
    CALLED.await();
    for (int round = 1; round <= ROUNDS; round++) {
      byte[] come = member.broadcast(key(robot, round), 0, null).await();
      if (!Arrays.equals(come, payload(robot, round))) {
        throw new IllegalStateException("something else came in " + key(robot, round));
      }
      bytes += come.length;
      member.reuse(come);
    }
    return bytes;
  }
}
