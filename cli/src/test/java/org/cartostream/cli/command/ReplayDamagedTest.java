package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What a user is told of a log of which a part is missing, or that lies in several files. */
@Quick
class ReplayDamagedTest extends SerialReplays {

  private Path part(String name, int from, int to) throws IOException {
    return Files.write(folder.resolve(name), Logs.office(to).subList(from, to));
  }

  private Path reference(int poses) throws IOException {
    List<String> lines = Files.readAllLines(Logs.OFFICE_REFERENCE);
    lines.removeIf(line -> line.startsWith("#"));
    return Files.write(folder.resolve("true.tum"), lines.subList(0, poses));
  }

  @Test
  void theErrorOfWhatADamagedFileStillGivesIsMeasuredAndMarked() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(String.join("\n", Logs.office(40)).getBytes(StandardCharsets.US_ASCII));
    }
    Path cut = folder.resolve("cut.clf.gz");
    Files.write(cut, Arrays.copyOf(packed.toByteArray(), packed.size() / 2));

    Cartostream run = replay(cut, "--reference", reference(40));

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("note: the archive is damaged");
    assertThat(run.out())
        .contains("read         the archive is damaged", "of 40 poses compared", "partial")
        .doesNotContain("unmeasured");
    assertThat(report().at("/damage").asText()).contains("lines before it are read");
    assertThat(report().at("/accuracy/partial").asBoolean()).isTrue();
    assertThat(report().at("/accuracy/posesCompared").asInt()).isBetween(10, 30);
    assertThat(report().at("/accuracy/ateMetres").asDouble()).isLessThan(0.1);
  }

  @Test
  void aWholeLogIsNotCalledPartial() throws IOException {
    Cartostream run = replay(part("my.clf", 0, 20), "--reference", reference(20));
    assertThat(run.out()).contains("20 poses compared").doesNotContain("partial", "read   ");
    assertThat(report().at("/accuracy/partial").isMissingNode()).isTrue();
    assertThat(report().at("/damage").isMissingNode()).isTrue();
  }

  @Test
  void severalFilesAreOneLogWhateverTheirOrder() throws IOException {
    Path a = part("a.clf", 0, 10);
    Path b = part("b.clf", 10, 25);
    assertThat(replay(part("all.clf", 0, 25), "--robot", "r").exitCode()).isZero();
    byte[] whole = Files.readAllBytes(folder.resolve("out/trajectory.tum"));
    for (List<Path> files : List.of(List.of(a, b), List.of(b, a))) {
      Cartostream run = replay(files.get(0), files.get(1), "--robot", "r");
      assertThat(run.out()).contains(files.get(0).getFileName() + ", ", "25 processed");
      assertThat(folder.resolve("out/trajectory.tum")).hasBinaryContent(whole);
    }
    replay(b, a);
    assertThat(report().at("/robot").asText()).isEqualTo("a");
  }

  @Test
  void namesTheFormOfAReferenceThatIsNone() throws IOException {
    Path csv = Files.writeString(folder.resolve("my.csv"), "t,x,y,yaw\n1.0,2.0,3.0,0.1\n");
    Cartostream run = replay(part("a.clf", 0, 3), "--reference", csv);
    assertThat(run.exitCode()).isOne();
    assertThat(run.complaint()).contains("my.csv", "\"t,x,y,yaw\"", "'t x y z qx qy qz qw'");
  }

  @Test
  void refusesABagAmongTextLogs() throws IOException {
    Path bag = Files.writeString(folder.resolve("x.bag"), "#ROSBAG V2.0\n");
    Cartostream run = replay(part("a.clf", 0, 10), bag);
    assertThat(run.complaint()).contains("a.clf is a CARMEN log and ", "x.bag is a bag");
    assertThat(run.exitCode()).isOne();
  }
}
