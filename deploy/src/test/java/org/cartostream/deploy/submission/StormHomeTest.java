package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

@Quick
class StormHomeTest {

  private static final long MEBI = 1 << 20;

  @TempDir private Path folder;

  /** Each line is a kilobyte, and 96 MB of them come. */
  @Test
  void aProcessThatLogsWithoutEndKeepsAFewFiles() throws Exception {
    StormHome home = new StormHome(folder);
    home.create(Map.of(), List.of());
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("storm.log.dir", folder.resolve("logs").toString());
    context.putProperty("storm.id", "service-1");
    context.putProperty("worker.port", "6700");
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(home.workerLogging().toFile());
    Logger log = context.getLogger("org.cartostream.test");
    String line = "x".repeat(1024);
    for (int i = 0; i < 96 << 10; i++) {
      log.info(line);
    }
    context.stop();

    try (Stream<Path> files = Files.list(folder.resolve("logs"))) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(4).contains(folder.resolve("logs/service-1-6700.log"));
      for (Path file : all) {
        assertThat(Files.size(file)).as("%s", file).isLessThan(17 * MEBI);
      }
    }
  }
}
