package org.cartostream.collectives.engine;

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
import org.cartostream.collectives.Group;
import org.cartostream.collectives.RandomOperation;
import org.cartostream.testing.Default;

/** Payloads that no frame may hold come whole through a broker. */
@Default
class LargePayloadsIT {

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

  @Property(tries = 30)
  void comeWholeThroughABroker(
      @ForAll("kinds") Object[] kind,
      @ForAll @IntRange(min = 2, max = 4) int size,
      @ForAll long seed)
      throws IOException {
    LargePayloads.check(group(size), kind, seed);
  }

  private static Group group(int size) throws IOException {
    Group group = GROUPS.get(size);
    if (group == null) {
      group = Group.throughABroker(size, broker.uri(), LargePayloads.SETTINGS);
      GROUPS.put(size, group);
    }
    return group;
  }
}
