package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.tcp.TcpTransport;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Members in threads of their own, which wait for each call, with several robots at once. */
@Quick
class ConcurrentCallsTest {

  private static final int SIZE = 4;
  private static final int ROBOTS = 3;
  private static final int ROUNDS = 150;
  private static final CollectiveSettings SETTINGS =
      Settings.with(CollectiveSettings.defaults(), Map.of("partBytes", "64"));

  @Test
  void inMemory() throws Exception {
    run(Group.inMemory(SIZE, SETTINGS));
  }

  @Test
  void overTcp() throws Exception {
    try (TcpTransport transport = TcpTransport.plain(2)) {
      run(Group.overTcp(SIZE, transport, SETTINGS));
    }
  }

  private static void run(Group group) throws Exception {
    long seed = System.nanoTime();
    ExecutorService threads = Executors.newFixedThreadPool(SIZE * ROBOTS);
    try (group) {
      List<Future<?>> ends = new ArrayList<>();
      for (int robot = 0; robot < ROBOTS; robot++) {
        for (int rank = 0; rank < SIZE; rank++) {
          int itsRobot = robot;
          Communicator member = group.member(rank);
          ends.add(threads.submit(() -> work(member, itsRobot, seed)));
        }
      }
      for (Future<?> end : ends) {
        end.get(2 * Group.BOUND_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Void work(Communicator member, int robot, long seed) throws InterruptedException {
    Random random = new Random(seed + robot); // The same at all members.
    List<Object[]> kinds = RandomOperation.kinds();
    for (int round = 1; round <= ROUNDS; round++) {
      Object[] kind = kinds.get(random.nextInt(kinds.size()));
      long workSeed = random.nextLong();
      RandomOperation randomOperation =
          RandomOperation.random((Operation) kind[0], (Algorithm) kind[1], SIZE, 500, workSeed);
      Object brought =
          randomOperation.call(member, new OperationKey("robot-" + robot, 1, round)).await();
      assertThat(brought)
          .as("%s, rank %d, seed %d", randomOperation, member.rank(), seed)
          .isEqualTo(randomOperation.expected(member.rank()));
      if (brought instanceof byte[][] blocks) {
        member.reuse(blocks);
      }
    }
    return null;
  }
}
