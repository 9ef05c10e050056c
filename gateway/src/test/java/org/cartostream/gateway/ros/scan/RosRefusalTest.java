package org.cartostream.gateway.ros.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.cartostream.gateway.SkipReason;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RosRefusalTest {

  @Test
  void eachReasonHasItsCureInTheGuide() throws Exception {
    String guide =
        Files.readString(Path.of(System.getProperty("cartostream.root"), "docs", "robots.md"));
    Stream<Refusal> reasons =
        Stream.concat(Arrays.stream(RosRefusal.values()), Arrays.stream(SkipReason.values()));
    assertThat(reasons)
        .allSatisfy(
            reason -> {
              assertThat(guide).contains("| `" + reason.name() + "` |");
              assertThat(reason.sentence()).isNotBlank().doesNotEndWith(".");
            });
  }
}
