package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.ZipFile;
import org.cartostream.checkpoint.RunState;

/** The state that a finished run leaves, read as a zip archive. */
public final class SavedState {

  private SavedState() {}

  /** The number of the last reading in it; all its parts are there, as the manifest has them. */
  public static long lastReading(Path out) throws IOException, NoSuchAlgorithmException {
    try (ZipFile zip = new ZipFile(out.resolve(RunState.FILE).toFile())) {
      String text = new String(content(zip, "manifest.json"), StandardCharsets.UTF_8);
      JsonNode manifest = new ObjectMapper().readTree(text.substring(text.indexOf('\n')));
      assertThat(manifest.at("/parts")).isNotEmpty();
      for (JsonNode part : manifest.at("/parts")) {
        byte[] content = content(zip, part.get("name").asText());
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)))
            .isEqualTo(part.get("sha256").asText());
      }
      return manifest.at("/cut/reading").asLong();
    }
  }

  private static byte[] content(ZipFile zip, String name) throws IOException {
    return zip.getInputStream(zip.getEntry(name)).readAllBytes();
  }
}
