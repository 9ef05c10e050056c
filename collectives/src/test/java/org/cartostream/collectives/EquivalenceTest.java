package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.tcp.TcpTransport;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;

/** Every operation brings every member what it means, whatever carries it. */
@Quick
class EquivalenceTest {

  static final CollectiveSettings SETTINGS =
      Settings.with(CollectiveSettings.defaults(), Map.of("partBytes", "64"));

  private static final int MAX_MEMBERS = 9;
  private static final int MAX_BYTES = 1000;

  private static final TcpTransport TRANSPORT = TcpTransport.plain(2);
  private static final Map<String, Group> GROUPS = new HashMap<>();
  private static long rounds;

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

  @Property(tries = 1500)
  void inMemory(
      @ForAll("kinds") Object[] kind,
      @ForAll @IntRange(min = 1, max = MAX_MEMBERS) int size,
      @ForAll long seed)
      throws IOException {
    check(group("memory", size), kind, seed);
  }

  @Property(tries = 600)
  void overTcp(
      @ForAll("kinds") Object[] kind,
      @ForAll @IntRange(min = 1, max = MAX_MEMBERS) int size,
      @ForAll long seed)
      throws IOException {
    check(group("tcp", size), kind, seed);
  }

  private static Group group(String channel, int size) throws IOException {
    Group group = GROUPS.get(channel + size);
    if (group == null) {
      group =
          channel.equals("memory")
              ? Group.inMemory(size, SETTINGS)
              : Group.overTcp(size, TRANSPORT, SETTINGS);
      GROUPS.put(channel + size, group);
    }
    return group;
  }

  /** All members call in a random order, and spoil what they gave as soon as their call returns. */
  static void check(Group group, Object[] kind, long seed) {
    RandomOperation randomOperation =
        RandomOperation.random(
            (Operation) kind[0], (Algorithm) kind[1], group.size(), MAX_BYTES, seed);
    RandomOperation given =
        RandomOperation.random(
            (Operation) kind[0], (Algorithm) kind[1], group.size(), MAX_BYTES, seed);
    List<Integer> order = new ArrayList<>(IntStream.range(0, group.size()).boxed().toList());
    Collections.shuffle(order, new Random(seed));
    OperationKey key = Group.round(++rounds);
    CollectiveFuture<?>[] collectiveFutures = new CollectiveFuture<?>[group.size()];
    for (int rank : order) {
      collectiveFutures[rank] = given.call(group.member(rank), key);
      if (randomOperation.operation()
          != Operation.BROADCAST) { // Whose root is brought what it gave.
        spoil(given, rank);
      }
    }
    for (int rank = 0; rank < group.size(); rank++) {
      assertThat(Group.result(collectiveFutures[rank]))
          .as("%s, rank %d", randomOperation, rank)
          .isEqualTo(randomOperation.expected(rank));
    }
  }

  private static void spoil(RandomOperation given, int rank) {
    Arrays.fill(given.payloads()[rank], (byte) 7);
    for (byte[] parcel : given.parcels()[rank]) {
      Arrays.fill(parcel, (byte) 7);
    }
  }
}
