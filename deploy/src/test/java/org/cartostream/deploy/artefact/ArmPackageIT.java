package org.cartostream.deploy.artefact;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.cartostream.deploy.artefact.Artefacts.Answer;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The arm64 package on an emulated processor: the same bytes as here. */
@Nightly
class ArmPackageIT {

  /** An emulated processor takes a second and more for each. */
  private static final String SCANS = "60";

  @TempDir private Path folder;

  @Test
  void mapsTheOfficesBeginning() throws Exception {
    Stream<String> replay =
        Stream.of("replay", "office", "--engine", "serial", "--limit", SCANS, "--out");
    Artefacts.run(
        Map.of(),
        Stream.of(
                Artefacts.onArm(folder.resolve("root"), "cartostream").stream(),
                replay,
                Stream.of(folder.resolve("arm").toString()))
            .flatMap(words -> words)
            .toArray(String[]::new));
    Artefacts.expected(folder.resolve("expected"), "--limit", SCANS)
        .requireSame(Answer.of(folder.resolve("arm")));
  }
}
