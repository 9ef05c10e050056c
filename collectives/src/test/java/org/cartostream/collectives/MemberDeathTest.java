package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A member dies in the middle of every operation, at every moment at which it would send something:
 * the calls of the others that lack something end with an error that names it.
 */
@Quick
class MemberDeathTest {

  private static final CollectiveSettings SETTINGS =
      Settings.with(CollectiveSettings.defaults(), Map.of("partBytes", "64"));

  private static final OperationKey HEALTHY = Group.round(1);
  private static final OperationKey FATAL = Group.round(2);
  private static final long SEED = 4;

  static Stream<Object[]> kinds() {
    return RandomOperation.kinds().stream().filter(kind -> kind[1] != Algorithm.AUTO);
  }

  @ParameterizedTest(name = "{0} by {1}")
  @MethodSource("kinds")
  void inMemoryOfAnyMember(Operation operation, Algorithm algorithm) throws IOException {
    for (int victim = 0; victim < 5; victim++) {
      dieEverywhere("memory", SETTINGS, work(operation, algorithm, 5), victim);
    }
  }

  @ParameterizedTest(name = "{0} by {1}")
  @MethodSource("kinds")
  void overTcpAndSharedMemory(Operation operation, Algorithm algorithm) throws IOException {
    dieEverywhere("tcp", SETTINGS, work(operation, algorithm, 3), 1);
    dieEverywhere("shared-memory", SETTINGS, work(operation, algorithm, 3), 1);
  }

  /** So that what is more than one part is fetched. */
  private static final CollectiveSettings LONG =
      Settings.with(SETTINGS, Map.of("maxFrameBytes", "64"));

  @ParameterizedTest(name = "{0} by {1}")
  @MethodSource("kinds")
  void inTheMiddleOfWhatIsFetchedInMemory(Operation operation, Algorithm algorithm)
      throws IOException {
    dieEverywhere("memory", LONG, work(operation, algorithm, 4), 1);
  }

  @ParameterizedTest(name = "{0} by {1}")
  @CsvSource({"ALL_TO_ALL,FLAT", "BROADCAST,FLAT", "ALL_GATHER,DOUBLING"})
  void inTheMiddleOfWhatIsFetchedOverTcpAndSharedMemory(Operation operation, Algorithm algorithm)
      throws IOException {
    dieEverywhere("tcp", LONG, work(operation, algorithm, 3), 1);
    dieEverywhere("shared-memory", LONG, work(operation, algorithm, 3), 1);
  }

  private static RandomOperation work(Operation operation, Algorithm algorithm, int size) {
    return RandomOperation.random(operation, algorithm, size, 300, SEED);
  }

  private static void dieEverywhere(
      String transport, CollectiveSettings settings, RandomOperation randomOperation, int victim)
      throws IOException {
    int deaths = 1;
    for (int death = 0; death < deaths; death++) {
      deaths = Math.max(deaths, die(transport, settings, randomOperation, victim, death));
    }
  }

  /** Dies at one part of a round; returns how many there are at which it can. */
  private static int die(
      String transport,
      CollectiveSettings settings,
      RandomOperation randomOperation,
      int victim,
      int death)
      throws IOException {
    CrashingChannel[] all = new CrashingChannel[randomOperation.size()];
    try (Group group =
        Group.by(
            transport,
            randomOperation.size(),
            settings,
            channel -> all[channel.rank()] = new CrashingChannel(channel))) {
      CrashingChannel mortal = all[victim];
      IntStream.range(0, randomOperation.size())
          .mapToObj(rank -> randomOperation.call(group.member(rank), HEALTHY))
          .toList()
          .forEach(Group::result);
      int before = mortal.sent().size();
      AtomicInteger parts = new AtomicInteger();
      mortal.crashAt(part -> part.key().equals(FATAL) && parts.getAndIncrement() == death);

      List<? extends CollectiveFuture<?>> calls =
          IntStream.range(0, randomOperation.size())
              .mapToObj(rank -> randomOperation.call(group.member(rank), FATAL))
              .toList();
      for (int rank = 0; rank < randomOperation.size(); rank++) {
        if (rank != victim) {
          assertNamed(victim, randomOperation, rank, death, calls.get(rank));
        }
      }
      return before;
    }
  }

  /** Who has what it needs keeps it, though another dies. */
  private static void assertNamed(
      int victim, RandomOperation operation, int rank, int death, CollectiveFuture<?> call) {
    boolean hasAll = !operation.needsAll() && operation.root() != victim;
    if (hasAll || (death > 0 && Group.endsWell(call))) {
      assertThat(Group.result(call)).isEqualTo(operation.expected(rank));
      return;
    }
    CollectiveException failure = Group.failure(call);
    assertThat(failure.members())
        .as("%s, rank %d, death %d: %s", operation, rank, death, failure.getMessage())
        .containsExactly(victim);
    assertThat(failure.reason()).isEqualTo(Reason.LOST);
    assertThat(failure).hasMessageContaining("rank " + victim);
  }
}
