package org.cartostream.slam.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code datasets/fetch}, with a package index on which nobody listens. */
@Default
class DatasetFetchIT {

  private static final Path SCRIPTS =
      Path.of(System.getProperty("cartostream.root", "..")).resolve("datasets");

  private record Answer(int exitCode, String out, String err) {}

  @TempDir private Path folder;
  private Path script;

  @BeforeEach
  void copyTheScript() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "the script needs /bin/sh");
    script = Files.copy(SCRIPTS.resolve("fetch"), folder.resolve("fetch"));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Files.copy(SCRIPTS.resolve("datasets.yaml"), folder.resolve("datasets.yaml"));
  }

  @Test
  void listsNameAndSentenceSeparatedByATab() throws Exception {
    assertThat(run("--list").out()).startsWith("killian\tMIT Killian Court");
  }

  @Test
  void givesWhatIsInTheCacheWithoutANetwork() throws Exception {
    byte[] content = "any".getBytes(StandardCharsets.US_ASCII);
    expectChecksumOf(content);
    Path cached = Files.createDirectory(folder.resolve("cache")).resolve("killian.g2o.zip");
    Files.write(cached, content);

    Answer answer = run("killian");

    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out().strip()).isEqualTo(cached.toString());
    assertThat(answer.err()).isEmpty();
  }

  @Test
  void doesNotTrustADamagedFileInTheCache() throws Exception {
    Path cached = Files.createDirectory(folder.resolve("cache")).resolve("killian.g2o.zip");
    Files.writeString(cached, "damaged");

    Answer answer = run("killian");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.out()).isEmpty();
  }

  @Test
  void saysInOneSentenceThatThereIsNoNetworkAndLeavesNothingBehind() throws Exception {
    Answer answer = run("killian");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.err()).containsAnyOf("is there a network?", "pip is needed", "python3 is");
    assertThat(folder.resolve("cache"))
        .satisfiesAnyOf(
            cache -> assertThat(cache).isEmptyDirectory(),
            cache -> assertThat(cache).doesNotExist());
  }

  @Test
  void refusesWrongUsage() throws Exception {
    assertThat(run().exitCode()).isEqualTo(2);
    assertThat(run("--what").exitCode()).isEqualTo(2);
    Answer unknown = run("atlantis");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("no data set 'atlantis'").contains("killian");
  }

  private void expectChecksumOf(byte[] content) throws Exception {
    String sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    Path catalogue = folder.resolve("datasets.yaml");
    String changed = Files.readString(catalogue).replaceAll("sha256: .*", "sha256: " + sum);
    Files.writeString(catalogue, changed);
  }

  private Answer run(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = script.toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("CARTOSTREAM_CACHE", folder.resolve("cache").toString());
    builder.environment().put("PIP_INDEX_URL", "http://127.0.0.1:9/simple");
    builder.environment().put("PIP_NO_INDEX", "1");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended within a minute").isTrue();
    } finally {
      process.destroy();
    }
    return new Answer(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
