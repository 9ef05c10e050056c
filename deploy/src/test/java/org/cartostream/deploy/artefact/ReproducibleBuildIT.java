package org.cartostream.deploy.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A second build of the packages, of the same sources in another folder, at another time, in
 * another time zone, by a user with another umask: the same bytes.
 */
@Nightly
class ReproducibleBuildIT {

  @TempDir private Path folder;

  @Test
  void twoBuildsGiveTheSameBytes() throws Exception {
    Path sums = Artefacts.get("SHA256SUMS");
    String clone = folder.resolve("a clone elsewhere").toString();
    Artefacts.run(Map.of(), "git", "clone", "-q", TestFiles.ROOT.toString(), clone);
    // What is not committed yet, too.
    Artefacts.run(
        Map.of(),
        "bash",
        "-c",
        "set -o pipefail; git diff --binary HEAD | git -C \"$0\" apply --allow-empty",
        clone);
    Artefacts.run(
        Map.of("TZ", "Pacific/Auckland", "HOME", System.getProperty("user.home")),
        "bash",
        "-c",
        "umask 077; \"$0/scripts/package\"",
        clone);
    assertThat(Path.of(clone, "target/dist/SHA256SUMS")).hasSameTextualContentAs(sums);
    assertThat(Files.readAllLines(sums)).hasSize(6);
  }
}
