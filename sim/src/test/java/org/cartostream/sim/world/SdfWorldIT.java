package org.cartostream.sim.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our worlds as the checker of SDFormat sees them. */
@Default
class SdfWorldIT {

  private static final Path CHECKER = Path.of("/usr/bin/ign");
  private static final Path SDFORMAT = Path.of("/usr/lib/ruby/ignition");

  @TempDir private Path folder;

  @Test
  void isValidToTheToolsOfSdfFormat() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(CHECKER) && Files.isDirectory(SDFORMAT),
        "SDF's tools are not installed: apt-get install ignition-tools libsdformat-dev");
    Path model = resource("models/turtlebot/model.sdf");
    assertThat(check(model)).contains("Valid.").doesNotContain("Error:");
    // The checker alone does not know where Gazebo's models are.
    String world = Files.readString(resource("worlds/office.sdf"));
    Path copy = folder.resolve("office.sdf");
    Files.writeString(copy, world.replace("model://turtlebot", model.getParent().toString()));
    assertThat(check(copy)).contains("Valid.").doesNotContain("Error:");
  }

  private static Path resource(String name) throws Exception {
    URL url = SdfWorld.class.getResource("/org/cartostream/sim/gazebo/" + name);
    return Path.of(url.toURI());
  }

  private static String check(Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(List.of(CHECKER.toString(), "sdf", "-k", file.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said;
  }
}
