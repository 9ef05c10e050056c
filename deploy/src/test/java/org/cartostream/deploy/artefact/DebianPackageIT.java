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

/**
 * The Debian packages, looked at by Debian's own tools and installed into a bare Debian 12, and the
 * tarball, unpacked there.
 */
@Nightly
class DebianPackageIT {

  private static final long MAX_BYTES_OF_GATEWAY = 40_000_000;

  /** From Enter to the map. */
  private static final double MAX_SECONDS = 60;

  @TempDir private static Path shared;
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
  void eachHasLibrariesOfItsOwnProcessorAlone() throws Exception {
    Map<String, String> own = Map.of("amd64", "x86_64|amd64|linux64", "arm64", "aarch_?64");
    for (String architecture : own.keySet()) {
      String files =
          Artefacts.run(
              Map.of(),
              "bash",
              "-c",
              "dpkg-deb -x \"$0\" \"$1\" && find \"$1\" -name '*.jar' -exec unzip -Z1 {} \\;"
                  + " | grep -aE '[.](so|dll|dylib|jnilib)$'",
              deb("cartostream", architecture).toString(),
              folder.resolve(architecture).toString());
      assertThat(files.lines())
          .allMatch(file -> file.matches(".*(%s).*[.]so".formatted(own.get(architecture))));
    }
  }

  /** A bare Debian with a headless runtime of Java, made once. */
  private static Path bareDebian() throws Exception {
    Artefacts.requireRoot();
    Artefacts.require("mmdebstrap");
    Path root = shared.resolve("root");
    if (!Files.exists(root)) {
      Artefacts.makeRoot(root, "minbase", "--include=default-jre-headless,adduser");
    }
    return root;
  }

  /** Has the office mapped, within a minute, to the bytes that it has here. */
  private void mapsTheOffice(Path root, String command) throws Exception {
    long start = System.nanoTime();
    Artefacts.runIn(root, "cd && " + command + " replay office");
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("the office by %s in %.1f s from the start%n", command, seconds);
    Artefacts.expected(folder.resolve("expected"))
        .requireSame(Answer.of(root.resolve("root/out/office")));
    assertThat(seconds).isLessThan(MAX_SECONDS);
  }

  @Test
  void theTarballWantsNoMoreThanARuntimeOfJava() throws Exception {
    Path root = bareDebian();
    Path tarball = Artefacts.get("cartostream-VERSION.tar.gz");
    Artefacts.run(
        Map.of(), "tar", "-xzf", tarball.toString(), "-C", root.resolve("opt").toString());
    mapsTheOffice(
        root, "/opt/" + tarball.getFileName().toString().replace(".tar.gz", "/bin/cartostream"));
  }

  @Test
  void bothAreInstalledIntoABareDebian() throws Exception {
    Path root = bareDebian();
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
    mapsTheOffice(root, "cartostream");
    assertThat(Artefacts.runIn(root, "CARTOSTREAM_JVM_OPTS=-Xlog:class+load cartostream --version"))
        .as("classes out of the archive that the installation made")
        .containsPattern("org[.]cartostream[.].* source: shared objects file [(]top[)]");
    assertThat(Artefacts.runIn(root, "apt-get purge -y -q cartostream && ls /usr/lib"))
        .doesNotContain("\ncartostream\n");
  }
}
