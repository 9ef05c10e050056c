package org.cartostream.bench.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.DirectoryStore;
import org.cartostream.checkpoint.RunState;
import org.cartostream.checkpoint.StateCodec;

/**
 * Saved run ({@code run.state}) in a form that can be fuzzed: without checksums, which would detect
 * any change before the reader is reached. Its bytes are the length of the manifest (4 bytes), the
 * manifest, and the largest part of the state. {@link #read} adds checksums that match.
 */
final class FuzzableState {

  static final String ENDING = ".state";

  private static final String MANIFEST = "manifest.json";
  private static final String NAME = "fuzzed";

  private FuzzableState() {}

  static FuzzInput of(String name, Path file) throws IOException {
    byte[] manifest = {};
    byte[] state = {};
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        try (InputStream in = zip.getInputStream(entry)) {
          byte[] content = in.readAllBytes();
          if (entry.getName().equals(MANIFEST)) {
            manifest = content;
          } else if (content.length > state.length) {
            state = content;
          }
        }
      }
    }
    ByteBuffer all = ByteBuffer.allocate(Integer.BYTES + manifest.length + state.length);
    all.putInt(manifest.length).put(manifest).put(state);
    List<Integer> lengths = List.of(0, all.capacity() - Integer.BYTES);
    return new FuzzInput(name, FuzzInput.Kind.STATE, all.array(), List.of(), false, lengths);
  }

  /**
   * Reads a changed manifest and state as a user's file would be read.
   *
   * @throws IOException if they are refused, with a sentence for people
   */
  static void read(Path changed) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(changed));
    byte[] manifest = new byte[Math.max(0, Math.min(all.getInt(), all.remaining()))];
    all.get(manifest);
    byte[] state = Arrays.copyOfRange(all.array(), all.position(), all.limit());
    IOException refused = null;
    try {
      copy(changed.resolveSibling(NAME), manifest, state);
    } catch (IOException e) {
      refused = e;
    }
    StateCodec.decode(state, Object.class, number -> new byte[0]);
    if (refused != null) {
      throw refused;
    }
  }

  /**
   * Copies a state as {@code replay --continue} does with a service, and checks that files are
   * written only inside the store.
   */
  private static void copy(Path folder, byte[] manifest, byte[] state) throws IOException {
    Path store = folder.resolve("some/where/store");
    try {
      Files.createDirectories(store);
      Path file = folder.resolve(RunState.FILE);
      write(file, manifest, List.of(), state);
      List<CheckpointPart> parts = RunState.open(file).manifest().parts();
      write(file, manifest, parts, state);
      RunState.open(file).copyTo(new DirectoryStore(store), NAME);
    } finally {
      List<Path> outside = new ArrayList<>();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path each : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          if (Files.isRegularFile(each)
              && !each.startsWith(store)
              && !each.endsWith(RunState.FILE)) {
            outside.add(each);
          }
          Files.delete(each);
        }
      }
      if (!outside.isEmpty()) {
        throw new IllegalStateException("wrote " + outside);
      }
    }
  }

  private static void write(Path file, byte[] manifest, List<CheckpointPart> parts, byte[] state)
      throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry(MANIFEST));
      zip.write(signed(manifest));
      for (CheckpointPart part : parts) {
        zip.putNextEntry(new ZipEntry(part.name()));
        zip.write(state);
      }
    }
  }

  /** Returns a manifest with the checksum of what stands behind its first line. */
  private static byte[] signed(byte[] manifest) throws IOException {
    String text = new String(manifest, StandardCharsets.ISO_8859_1);
    int end = text.indexOf('\n') + 1;
    try {
      byte[] json = text.substring(end).getBytes(StandardCharsets.ISO_8859_1);
      byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(json);
      String head =
          text.substring(0, end).replaceFirst("[0-9a-f]{64}", HexFormat.of().formatHex(sha256));
      return (head + text.substring(end)).getBytes(StandardCharsets.ISO_8859_1);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
