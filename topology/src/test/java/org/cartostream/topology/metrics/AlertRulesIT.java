package org.cartostream.topology.metrics;

import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.testing.Default;
import org.cartostream.testing.Promtool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alert rules beside the dashboard, by Prometheus' own tests of rules. */
@Default
class AlertRulesIT {

  private static final String TESTS = "alert-tests.yml";

  @TempDir private Path folder;

  @Test
  void alertWhenTheyShould() throws Exception {
    Files.copy(Promtool.ALERTS, folder.resolve(Promtool.ALERTS.getFileName()));
    Files.copy(AlertRulesIT.class.getResourceAsStream(TESTS), folder.resolve(TESTS));

    Promtool.run(folder, "check", "rules", Promtool.ALERTS.getFileName().toString());
    Promtool.run(folder, "test", "rules", TESTS);
  }
}
