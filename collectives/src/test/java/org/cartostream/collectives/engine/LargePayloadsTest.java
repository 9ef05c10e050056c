package org.cartostream.collectives.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.RandomOperation;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.tcp.TcpTransport;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;

/** Payloads that no frame may hold are fetched: they come whole, and wait nowhere. */
@Quick
class LargePayloadsTest {

  private static final TcpTransport TRANSPORT = TcpTransport.plain(2);
  private static final Map<String, Group> GROUPS = new HashMap<>();

  @AfterContainer
  static void close() {
    GROUPS.values().forEach(Group::close);
    GROUPS.clear();
    TRANSPORT.close();
  }

  @Provide
  Arbitrary<Object[]> kinds() {
    return Arbitraries.of(RandomOperation.kinds());
  }

  @Property(tries = 400)
  void comeWholeInMemory(
      @ForAll("kinds") Object[] kind,
      @ForAll @IntRange(min = 1, max = 9) int size,
      @ForAll long seed)
      throws IOException {
    LargePayloads.check(group("memory", size), kind, seed);
  }

  @Property(tries = 200)
  void comeWholeOverTcp(
      @ForAll("kinds") Object[] kind,
      @ForAll @IntRange(min = 2, max = 9) int size,
      @ForAll long seed)
      throws IOException {
    LargePayloads.check(group("tcp", size), kind, seed);
  }

  private static Group group(String channel, int size) throws IOException {
    Group group = GROUPS.get(channel + size);
    if (group == null) {
      group =
          channel.equals("memory")
              ? Group.inMemory(size, LargePayloads.SETTINGS)
              : Group.overTcp(size, TRANSPORT, LargePayloads.SETTINGS);
      GROUPS.put(channel + size, group);
    }
    return group;
  }

  /** Though each payload is more than may wait there, and the last member is late. */
  @Example
  void waitNowhere() throws IOException {
    int size = 3;
    CollectiveSettings narrow =
        Settings.with(LargePayloads.SETTINGS, Map.of("maxWaitingBytes", "7500"));
    for (Object[] kind : RandomOperation.kinds()) {
      Random random = new Random(5);
      byte[][] large = new byte[size][20_000];
      byte[][][] parcels = new byte[size][][];
      Arrays.stream(large).forEach(random::nextBytes);
      Arrays.setAll(parcels, from -> large);
      RandomOperation randomOperation =
          new RandomOperation(
              (Operation) kind[0],
              (Algorithm) kind[1],
              CompletionMode.ALONE,
              size - 1,
              large,
              parcels);
      for (Group group :
          List.of(Group.inMemory(size, narrow), Group.overTcp(size, TRANSPORT, narrow))) {
        try (group) {
          List<CollectiveFuture<?>> collectiveFutures = new ArrayList<>();
          for (int rank = 0; rank < size; rank++) {
            collectiveFutures.add(randomOperation.call(group.member(rank), Group.round(1)));
          }
          LargePayloads.assertWhole(randomOperation, collectiveFutures);
        }
      }
    }
  }

  @Example
  void robotsDoNotWaitForEachOther() throws IOException {
    Group group = group("tcp", 3);
    Random random = new Random(6);
    Object[] allToAll = {Operation.ALL_TO_ALL, Algorithm.FLAT};
    List<RandomOperation> randomOperations = new ArrayList<>();
    List<List<CollectiveFuture<?>>> calls = new ArrayList<>();
    for (int robot = 0; robot < 20; robot++) {
      randomOperations.add(LargePayloads.work(allToAll, 3, random.nextLong()));
      calls.add(new ArrayList<>());
    }
    for (int rank = 0; rank < 3; rank++) {
      for (int i = 0; i < 20; i++) {
        int robot = rank == 1 ? 19 - i : i;
        OperationKey key = new OperationKey("many-" + robot, 1, 1);
        calls.get(robot).add(randomOperations.get(robot).call(group.member(rank), key));
      }
    }
    for (int robot = 0; robot < 20; robot++) {
      LargePayloads.assertWhole(randomOperations.get(robot), calls.get(robot));
    }
  }

  @Example
  void areRefusedWhenNoArrayMayHoldThem() {
    CollectiveSettings narrow =
        Settings.with(LargePayloads.SETTINGS, Map.of("maxPayloadBytes", "1024"));
    try (Group group = Group.inMemory(2, narrow)) {
      assertThatThrownBy(
              () -> group.member(0).allToAll(Group.round(1), new byte[][] {{}, new byte[1025]}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the payload for rank 1 has 1025 bytes; at most 1024 are allowed");
    }
  }
}
