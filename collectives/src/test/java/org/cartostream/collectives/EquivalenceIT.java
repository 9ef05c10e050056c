package org.cartostream.collectives;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.testing.Default;

/** Every operation brings every member what it means, by RabbitMQ's protocol as well. */
@Default
class EquivalenceIT {

  private static final Map<Integer, Group> GROUPS = new HashMap<>();
  private static EmbeddedBroker broker;

  @BeforeContainer
  static void open() throws IOException {
    broker = EmbeddedBroker.start();
  }

  @AfterContainer
  static void close() {
    GROUPS.values().forEach(Group::close);
    GROUPS.clear();
    broker.close();
  }

  @Provide
  Arbitrary<Object[]> kinds() {
    return Arbitraries.of(RandomOperation.kinds());
  }

  @Property(tries = 150)
  void throughABroker(
      @ForAll("kinds") Object[] kind,
      @ForAll @IntRange(min = 1, max = 5) int size,
      @ForAll long seed)
      throws IOException {
    EquivalenceTest.check(group(size), kind, seed);
  }

  private static Group group(int size) throws IOException {
    Group group = GROUPS.get(size);
    if (group == null) {
      group = Group.throughABroker(size, broker.uri(), EquivalenceTest.SETTINGS);
      GROUPS.put(size, group);
    }
    return group;
  }
}
