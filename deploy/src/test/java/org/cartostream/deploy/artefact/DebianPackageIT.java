package org.cartostream.deploy.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.cartostream.deploy.artefact.Artefacts.Answer;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Debian packages, looked at by Debian's own tools and installed into a bare Debian 12. */
@Nightly
class DebianPackageIT {

  private static final long MAX_BYTES_OF_GATEWAY = 40_000_000;

  @TempDir private Path folder;

  private static Path deb(String name, String architecture) throws Exception {
    return Artefacts.get(name + "_VERSION_" + architecture + ".deb");
  }

  @Test
  void lintianHasNoErrors() throws Exception {
    Artefacts.require("lintian");
    for (String name : List.of("cartostream", "cartostream-gateway")) {
      Artefacts.run(
          Map.of(),
          "lintian",
          "--allow-root",
          "--fail-on",
          "error",
          deb(name, "amd64").toString(),
          deb(name, "arm64").toString());
    }
  }

  @Test
  void theUnitsAreShutAndWhole() throws Exception {
    Artefacts.require("systemd-analyze");
    Path units = Files.createDirectories(folder.resolve("lib/systemd")).resolve("system");
    Artefacts.run(Map.of(), "cp", "-a", "/lib/systemd/system", units.toString());
    Artefacts.run(
        Map.of(), "dpkg-deb", "-x", deb("cartostream", "amd64").toString(), folder.toString());
    for (String unit : List.of("cartostream-service", "cartostream-gateway@robot")) {
      assertThat(
              Artefacts.run(
                  Map.of(),
                  "systemd-analyze",
                  "verify",
                  "--man=no",
                  "--root=" + folder,
                  "/lib/systemd/system/" + unit + ".service"))
          .isEmpty();
    }
    for (String unit : List.of("cartostream-service.service", "cartostream-gateway@.service")) {
      Artefacts.run(
          Map.of(),
          "systemd-analyze",
          "security",
          "--offline=true",
          "--threshold=40",
          TestFiles.ROOT.resolve("deploy/systemd").resolve(unit).toString());
    }
  }

  @Test
  void theRobotsPackageIsSmallAndWithoutStorm() throws Exception {
    for (String architecture : List.of("amd64", "arm64")) {
      Path deb = deb("cartostream-gateway", architecture);
      assertThat(Files.size(deb)).isLessThanOrEqualTo(MAX_BYTES_OF_GATEWAY);
      assertThat(Artefacts.run(Map.of(), "dpkg-deb", "-c", deb.toString()))
          .doesNotContain("/lib/storm-", "/lib/qpid-", "rocksdb");
    }
  }

  @Test
  void bothAreInstalledIntoABareDebian() throws Exception {
    Artefacts.requireRoot();
    Artefacts.require("mmdebstrap");
    Path root = folder.resolve("root");
    Artefacts.makeRoot(root, "minbase", "--include=default-jre-headless,adduser");
    for (String name : List.of("cartostream", "cartostream-gateway")) {
      Files.copy(
          deb(name, "amd64"),
          root.resolve("root/" + name + ".deb"),
          StandardCopyOption.REPLACE_EXISTING);
    }

    Artefacts.runIn(root, "cd && apt-get install -y -q ./cartostream-gateway.deb");
    assertThat(Artefacts.runIn(root, "cd && cartostream-gateway --help"))
        .startsWith("Usage: cartostream gateway");

    // In the other's place: it has the gateway, too.
    Artefacts.runIn(root, "cd && apt-get install -y -q ./cartostream.deb");
    Artefacts.runIn(root, "id cartostream");
    long start = System.nanoTime();
    Artefacts.runIn(root, "cd && cartostream replay office");
    System.out.printf("the office in %.1f s from the start%n", (System.nanoTime() - start) / 1e9);
    Artefacts.expected(folder.resolve("expected"))
        .requireSame(Answer.of(root.resolve("root/out/office")));
    assertThat(Artefacts.runIn(root, "CARTOSTREAM_JVM_OPTS=-Xlog:class+load cartostream --version"))
        .as("classes out of the archive that the installation made")
        .containsPattern("org[.]cartostream[.].* source: shared objects file [(]top[)]");
    assertThat(Artefacts.runIn(root, "apt-get purge -y -q cartostream && ls /usr/lib"))
        .doesNotContain("\ncartostream\n");
  }
}
