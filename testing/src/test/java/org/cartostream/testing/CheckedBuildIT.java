package org.cartostream.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds in a copy of the repository, as the launcher does and as {@code scripts/test} does. Maven
 * has fetched what it needs when the tests themselves were built.
 */
@Default
class CheckedBuildIT {

  private static final Path ROOT =
      Path.of(System.getProperty("cartostream.root", "..")).toAbsolutePath();

  private static final String SOURCES = "settings/src/main/java/org/cartostream/settings";

  @TempDir private Path copy;

  private record Ended(int exitCode, String printed) {}

  @BeforeEach
  void copyOneModule() throws IOException {
    assumeThat(Files.isExecutable(ROOT.resolve("scripts/build"))).isTrue();
    copy("pom.xml");
    copy(".mvn/jvm.config");
    copy("scripts/build");
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
        copy(module.getFileName() + "/pom.xml");
      }
    }
    copyAll("settings/src");
    copyAll("testing/src/main");
  }

  private void copyAll(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        copy(ROOT.relativize(file).toString());
      }
    }
  }

  private void copy(String file) throws IOException {
    Path target = copy.resolve(file);
    Files.createDirectories(target.getParent());
    Files.copy(ROOT.resolve(file), target, StandardCopyOption.REPLACE_EXISTING);
  }

  private Ended build(String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("-o", "-pl", "settings", "-am", "package"));
    return run("scripts/build", words);
  }

  private Ended run(String script, List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(copy.resolve(script).toString()));
    command.addAll(words);
    Process process =
        new ProcessBuilder(command).directory(copy.toFile()).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), printed);
  }

  /** With main code alone: no test's class or library is in what users run. */
  @Test
  void theLaunchersRunWhatTheyHaveBuilt() throws Exception {
    try (Stream<Path> modules = Files.list(copy)) {
      for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
        copyAll(module.getFileName() + "/src/main");
      }
    }
    copyAll("scripts");
    copyAll("deploy/launcher");
    copyAll("datasets");
    Ended mapped =
        run("scripts/cartostream", List.of("replay", "datasets/office.clf", "--out", "mapped"));
    assertThat(mapped.exitCode()).as(mapped.printed()).isZero();
    assertThat(copy.resolve("mapped/map.png")).isNotEmptyFile();
    Ended measurements = run("scripts/bench", List.of("--help"));
    assertThat(measurements.exitCode()).as(measurements.printed()).isZero();
    assertThat(measurements.printed()).contains("Usage: bench");
  }

  /** One that Error Prone makes an error: a variable that nobody reads. */
  @Test
  void aFaultThatTheLauncherHasBuiltFailsTheCheckedBuild() throws Exception {
    Files.writeString(
        copy.resolve(SOURCES + "/Planted.java"),
        """
        package org.cartostream.settings;

        final class Planted {

          int two() {
            int three = 3;
            return 2;
          }
        }
        """);
    Ended launchers = build("--main-only");
    assertThat(launchers.exitCode()).as(launchers.printed()).isZero();
    assertThat(copy.resolve("settings/target/launcher/settings-0.1.0.jar")).exists();
    Ended checked = build("-DskipTests");
    assertThat(checked.exitCode()).isNotZero();
    assertThat(checked.printed()).contains("Planted.java", "UnusedVariable");
  }

  @Test
  void aChangeIsBuiltAndNothingElse() throws Exception {
    assertThat(build("--main-only").exitCode()).isZero();
    Path jar = copy.resolve("settings/target/launcher/settings-0.1.0.jar");
    Object before = Files.getLastModifiedTime(jar);
    assertThat(build("--main-only").exitCode()).isZero();
    assertThat(Files.getLastModifiedTime(jar)).isEqualTo(before);
    Files.writeString(
        copy.resolve(SOURCES + "/Added.java"),
        "package org.cartostream.settings;\n\nclass Added {}\n");
    assertThat(build("--main-only").exitCode()).isZero();
    assertThat(
            copy.resolve("settings/target/launcher/classes/org/cartostream/settings/Added.class"))
        .exists();
    assertThat(Files.getLastModifiedTime(jar)).isNotEqualTo(before);
  }

  @Test
  void saysWhatMavenSaysOfAnError() throws Exception {
    Files.writeString(copy.resolve(SOURCES + "/Broken.java"), "class Broken {");
    Ended ended = build("--main-only");
    assertThat(ended.exitCode()).isNotZero();
    assertThat(ended.printed())
        .contains("Broken.java", "reached end of file")
        .doesNotContain("[INFO]");
  }
}
