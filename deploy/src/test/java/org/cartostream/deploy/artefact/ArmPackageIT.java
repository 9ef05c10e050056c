package org.cartostream.deploy.artefact;

import java.nio.file.Path;
import java.util.Map;
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
    Artefacts.requireRoot();
    Artefacts.require("mmdebstrap", "qemu-aarch64-static");
    Path deb = Artefacts.get("cartostream_VERSION_arm64.deb");
    Path root = folder.resolve("root");
    Artefacts.makeRoot(
        root, "extract", "--architectures=arm64", "--include=openjdk-17-jre-headless");
    Artefacts.run(Map.of(), "dpkg-deb", "-x", deb.toString(), root.toString());
    Path home = root.resolve("usr/lib/cartostream");
    Artefacts.run(
        Map.of(),
        "qemu-aarch64-static",
        "-L",
        root.toString(),
        root + "/usr/lib/jvm/java-17-openjdk-arm64/bin/java",
        "-XX:+UseSerialGC",
        "-Dcartostream.root=" + home,
        "-jar",
        home + "/cartostream.jar",
        "replay",
        "office",
        "--engine",
        "serial",
        "--limit",
        SCANS,
        "--out",
        folder.resolve("arm").toString());
    Artefacts.expected(folder.resolve("expected"), "--limit", SCANS)
        .requireSame(Answer.of(folder.resolve("arm")));
  }
}
