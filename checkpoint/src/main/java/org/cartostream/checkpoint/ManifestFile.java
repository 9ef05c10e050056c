package org.cartostream.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Codec of a manifest as bytes: a first line with the format's version and the SHA-256 of the rest,
 * which is JSON.
 */
final class ManifestFile {

  /** Version of the format that this class writes and reads. */
  private static final int FORMAT = 2;

  /**
   * Maximum size of a manifest, bytes. A manifest has some hundred keys, and a part for each task
   * and for each block of scans.
   */
  static final int MAX_BYTES = 1 << 20;

  private static final String MAGIC = "cartostream-checkpoint";
  private static final Pattern HEAD = Pattern.compile(MAGIC + " (\\d{1,9}) ([0-9a-f]{64})");
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private ManifestFile() {}

  static byte[] encode(Manifest manifest) throws IOException {
    byte[] json = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest);
    String head = MAGIC + " " + FORMAT + " " + NamedFilesStore.sha256(ByteBuffer.wrap(json)) + "\n";
    byte[] start = head.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(start.length + json.length).put(start).put(json).array();
  }

  /**
   * Decodes a manifest.
   *
   * @param what subject of the error's sentence, such as the checkpoint's identifier
   * @param file location of the bytes, for people
   * @throws CheckpointException if the bytes are no manifest, or are damaged
   */
  static Manifest decode(byte[] all, Object what, Object file) throws IOException {
    int end = 0;
    while (end < all.length && all[end] != '\n') {
      end++;
    }
    Matcher head = HEAD.matcher(new String(all, 0, end, StandardCharsets.US_ASCII));
    if (end == all.length || !head.matches()) {
      throw new CheckpointException("%s is not whole (%s)".formatted(what, file));
    }
    if (Integer.parseInt(head.group(1)) != FORMAT) {
      throw new CheckpointException(
          "%s has format %s; this release reads format %d (%s)"
              .formatted(what, head.group(1), FORMAT, file));
    }
    byte[] json = Arrays.copyOfRange(all, end + 1, all.length);
    if (!NamedFilesStore.sha256(ByteBuffer.wrap(json)).equals(head.group(2))) {
      throw new CheckpointException(
          "%s is damaged: its manifest is not what was written (%s)".formatted(what, file));
    }
    try {
      Manifest manifest = JSON.readValue(json, Manifest.class);
      if (manifest == null) {
        throw new CheckpointException("%s is empty (%s)".formatted(what, file));
      }
      return manifest;
    } catch (JsonProcessingException e) {
      boolean isRefused = e.getCause() instanceof IllegalArgumentException;
      String why = isRefused ? ": " + e.getCause().getMessage() : "";
      throw new CheckpointException("%s cannot be read (%s)%s".formatted(what, file, why), e);
    }
  }
}
