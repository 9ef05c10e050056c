package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.settings.Settings;
import org.junit.jupiter.api.Test;

/** What holds for every operation, whatever transport carries it: each transport's test is one. */
public abstract class ChannelContract {

  private static final int ROBOTS = 3;
  private static final int MEMBERS = 4;

  private static final CollectiveSettings SMALL =
      Settings.with(CollectiveSettings.defaults(), Map.of("partBytes", "64"));

  private final Random random = new Random(seed());
  private long rounds;

  private static long seed() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    return seed;
  }

  /** The transport's name. */
  protected abstract String transport();

  /** What the transport needs. */
  protected Object[] access() throws Exception {
    return new Object[0];
  }

  /** Number of random operations in each test. */
  protected abstract int tries();

  /** Size of the largest group. */
  protected int maxSize() {
    return 9;
  }

  private Group group(int size, CollectiveSettings settings) throws Exception {
    return Group.by(transport(), size, settings, UnaryOperator.identity(), access());
  }

  @Test
  void everyOperationBringsEveryMemberWhatItMeans() throws Exception {
    checkAll(
        SMALL, (kind, size) -> seed -> RandomOperation.random(kind, size, 1000, seed), tries());
  }

  @Test
  void payloadsThatNoFrameMayHoldComeWhole() throws Exception {
    checkAll(
        LargePayloads.SETTINGS,
        (kind, size) -> seed -> LargePayloads.work(kind, size, seed),
        tries() / 2);
  }

  private interface Work {
    LongFunction<RandomOperation> of(Object[] kind, int size);
  }

  private void checkAll(CollectiveSettings settings, Work work, int count) throws Exception {
    Map<Integer, Group> groups = new HashMap<>();
    try {
      for (int i = 0; i < count; i++) {
        int size = 1 + random.nextInt(maxSize());
        if (!groups.containsKey(size)) {
          groups.put(size, group(size, settings));
        }
        List<Object[]> kinds = RandomOperation.kinds();
        Object[] kind = kinds.get(random.nextInt(kinds.size()));
        check(groups.get(size), work.of(kind, size), random.nextLong());
      }
    } finally {
      groups.values().forEach(Group::close);
    }
  }

  /** All members call in a random order, and spoil what they gave as soon as their call returns. */
  private void check(Group group, LongFunction<RandomOperation> work, long seed) {
    RandomOperation meant = work.apply(seed);
    RandomOperation given = work.apply(seed);
    List<Integer> order = new ArrayList<>(IntStream.range(0, group.size()).boxed().toList());
    Collections.shuffle(order, new Random(seed));
    OperationKey key = Group.round(++rounds);
    CollectiveFuture<?>[] calls = new CollectiveFuture<?>[group.size()];
    for (int rank : order) {
      calls[rank] = given.call(group.member(rank), key);
      if (meant.operation() != Operation.BROADCAST) { // Whose root is brought what it gave.
        Arrays.fill(given.payloads()[rank], (byte) 7);
        Arrays.stream(given.parcels()[rank]).forEach(parcel -> Arrays.fill(parcel, (byte) 7));
      }
    }
    meant.assertWhole(List.of(calls));
  }

  @Test
  void manyThreadsCallForSeveralRobotsAtOnce() throws Exception {
    long seed = random.nextLong();
    ExecutorService threads = Executors.newFixedThreadPool(MEMBERS * ROBOTS);
    try (Group group = group(MEMBERS, SMALL)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int robot = 0; robot < ROBOTS; robot++) {
        for (int rank = 0; rank < MEMBERS; rank++) {
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

  private Void work(Communicator member, int robot, long seed) throws InterruptedException {
    Random same = new Random(seed + robot); // The same at all members.
    List<Object[]> kinds = RandomOperation.kinds();
    for (int round = 1; round <= tries() / 4; round++) {
      RandomOperation operation =
          RandomOperation.random(
              kinds.get(same.nextInt(kinds.size())), MEMBERS, 500, same.nextLong());
      Object brought = operation.call(member, new OperationKey("robot-" + robot, 1, round)).await();
      assertThat(brought)
          .as("%s, rank %d", operation, member.rank())
          .isEqualTo(operation.expected(member.rank()));
      if (brought instanceof byte[][] blocks) {
        member.reuse(blocks);
      }
    }
    return null;
  }

  /** Though each payload is more than may wait there, and the last member is late. */
  @Test
  void largePayloadsWaitNowhere() throws Exception {
    int size = 3;
    CollectiveSettings narrow =
        Settings.with(LargePayloads.SETTINGS, Map.of("maxWaitingBytes", "7500"));
    byte[][] large = new byte[size][20_000];
    byte[][][] parcels = new byte[size][][];
    Arrays.stream(large).forEach(random::nextBytes);
    Arrays.setAll(parcels, from -> large);
    try (Group group = group(size, narrow)) {
      for (Object[] kind : RandomOperation.kinds()) {
        RandomOperation operation =
            new RandomOperation((Operation) kind[0], (Algorithm) kind[1], size - 1, large, parcels);
        OperationKey key = Group.round(++rounds);
        operation.assertWhole(
            IntStream.range(0, size)
                .<CollectiveFuture<?>>mapToObj(rank -> operation.call(group.member(rank), key))
                .toList());
      }
    }
  }

  /** What is more than its credit stays with its sender until it is fetched, and is not lost. */
  @Test
  void aStalledReceiverSlowsItsSendersAndNobodyElse() throws Exception {
    CollectiveSettings narrow =
        Settings.with(
            CollectiveSettings.defaults().withTimeoutMillis(600_000),
            Map.of("maxWaitingBytes", "60000"));
    int robots = 40;
    byte[][] payloads = new byte[robots][5000];
    Arrays.stream(payloads).forEach(random::nextBytes);
    List<CollectiveFuture<byte[]>> sent = new ArrayList<>();
    try (Group group = group(3, narrow)) {
      for (int robot = 0; robot < robots; robot++) {
        byte[] given = payloads[robot].clone();
        sent.add(group.member(0).broadcast(stalled(robot), 0, given));
        Arrays.fill(given, (byte) 7);
      }
      for (int robot = 0; robot < robots; robot++) {
        assertThat(Group.result(group.member(1).broadcast(stalled(robot), 0, null)))
            .isEqualTo(payloads[robot]);
      }
      assertThat(sent).anyMatch(CollectiveFuture::isDone).anyMatch(call -> !call.isDone());
      RandomOperation.kinds()
          .forEach(
              kind ->
                  check(
                      group,
                      seed -> RandomOperation.random(kind, 3, 4000, seed),
                      random.nextLong()));
      for (int robot = 0; robot < robots; robot++) {
        assertThat(Group.result(group.member(2).broadcast(stalled(robot), 0, null)))
            .isEqualTo(payloads[robot]);
      }
      sent.forEach(Group::result);
    }
  }

  private static OperationKey stalled(int robot) {
    return new OperationKey("stalled-" + robot, 1, 1);
  }

  @Test
  void robotsDoNotWaitForEachOther() throws Exception {
    Object[] allToAll = {Operation.ALL_TO_ALL, Algorithm.FLAT};
    List<RandomOperation> operations = new ArrayList<>();
    List<List<CollectiveFuture<?>>> calls = new ArrayList<>();
    for (int robot = 0; robot < 20; robot++) {
      operations.add(LargePayloads.work(allToAll, 3, random.nextLong()));
      calls.add(new ArrayList<>());
    }
    try (Group group = group(3, LargePayloads.SETTINGS)) {
      for (int rank = 0; rank < 3; rank++) {
        for (int i = 0; i < 20; i++) {
          int robot = rank == 1 ? 19 - i : i;
          OperationKey key = new OperationKey("many-" + robot, 1, 1);
          calls.get(robot).add(operations.get(robot).call(group.member(rank), key));
        }
      }
      for (int robot = 0; robot < 20; robot++) {
        operations.get(robot).assertWhole(calls.get(robot));
      }
    }
  }
}
