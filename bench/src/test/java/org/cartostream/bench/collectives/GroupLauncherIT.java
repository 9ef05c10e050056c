package org.cartostream.bench.collectives;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;

@Default
class GroupLauncherIT {

  /** Its other threads do not keep the process. */
  @Test
  void endsWithoutTimesWhenAMemberFails() {
    CollectiveCase impossible = new CollectiveCase(Operation.BROADCAST, Algorithm.AUTO, -5);
    GroupLauncher groupLauncher =
        new GroupLauncher(Implementation.MEMORY, 2, List.of(impossible), "");
    assertThatThrownBy(groupLauncher::run)
        .hasMessageStartingWith("2 members of memory in threads ended without their times")
        .hasMessageContaining("NegativeArraySizeException");
  }
}
