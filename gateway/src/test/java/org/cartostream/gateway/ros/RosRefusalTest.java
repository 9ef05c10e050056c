package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RosRefusalTest {

  @Test
  void eachReasonHasItsCureInTheGuide() throws Exception {
    String guide =
        Files.readString(Path.of(System.getProperty("cartostream.root"), "docs", "robots.md"));
    for (RosRefusal reason : RosRefusal.values()) {
      assertThat(guide).contains("| `" + reason.name() + "` |");
      assertThat(reason.sentence()).isNotBlank().doesNotEndWith(".");
    }
  }
}
