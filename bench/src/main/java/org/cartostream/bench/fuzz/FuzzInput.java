package org.cartostream.bench.fuzz;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.cartostream.slam.file.LineReader;

/**
 * Input of the fuzzing: a small undamaged file, with its parts by the specification of its format.
 *
 * @param name name of the file
 * @param kind way of reading the file
 * @param bytes content of the file
 * @param parts messages or scans; none if they are compressed as a whole, or nobody can tell
 *     whether a changed part is as it was
 * @param isCounted true if a checksum or an index tells that a message is missing
 * @param lengths positions of the lengths in the file
 * @param members files of a folder, whose bytes stand one behind the other in {@code bytes}; else
 *     empty
 */
record FuzzInput(
    String name,
    Kind kind,
    byte[] bytes,
    List<Part> parts,
    boolean isCounted,
    List<Integer> lengths,
    List<FuzzInput> members) {

  /** Way of reading a file. */
  enum Kind {
    MESSAGES,
    /** A folder of rosbag2. */
    FOLDER,
    SCANS,
    POSES,
    /** A map's YAML file. */
    MAP,
    /** A map's picture. */
    PICTURE,
    STATE,
    /** Journal of a live robot's run. */
    JOURNAL,
    /** Spool of a live robot's key frames, which wait to be sent. */
    SPOOL
  }

  /**
   * Range of bytes in the file.
   *
   * @param from position of the first byte
   * @param to position behind the last byte
   * @param stays true if the bytes must not have moved in a changed file
   */
  record Extent(int from, int to, boolean stays) {

    boolean isIn(MutatedFile file) {
      int at = file.find(from, to);
      return at >= 0 && (!stays || at == from);
    }
  }

  /**
   * Message or scan of a log.
   *
   * @param key topic and time of a message, or stamp of a scan, nanoseconds
   * @param needs bytes that must all be untouched
   * @param oneOf bytes of which one group must be untouched, too, as all groups say the same; empty
   *     if there are none
   */
  record Part(String key, List<Extent> needs, List<List<Extent>> oneOf) {

    boolean isUntouched(MutatedFile file) {
      return needs.stream().allMatch(each -> each.isIn(file))
          && (oneOf.isEmpty()
              || oneOf.stream().anyMatch(all -> all.stream().allMatch(each -> each.isIn(file))));
    }
  }

  private static final Set<String> SCAN_LINES = Set.of("FLASER", "ROBOTLASER1");

  /** Number of words from a line's end to its stamp: the stamp, a host's name and another stamp. */
  private static final int WORDS_FROM_STAMP = 3;

  private static final int NANOS_DECIMALS = 9;

  /** A single file. */
  FuzzInput(
      String name,
      Kind kind,
      byte[] bytes,
      List<Part> parts,
      boolean isCounted,
      List<Integer> lengths) {
    this(name, kind, bytes, parts, isCounted, lengths, List.of());
  }

  /**
   * Reads a file, or the files of a folder.
   *
   * @throws IOException if it is damaged
   */
  static FuzzInput of(Path file) throws IOException {
    try {
      return whole(file);
    } catch (RuntimeException e) {
      throw new IOException(file + " is not whole, or not of the format that its name says", e);
    }
  }

  private static FuzzInput whole(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return FuzzableFolder.of(file);
    }
    byte[] bytes = Files.readAllBytes(file);
    String name = String.valueOf(file.getFileName());
    if (name.endsWith(".bag")) {
      return BagMessageFinder.of(name, bytes);
    }
    if (name.endsWith(".mcap")) {
      return McapMessageFinder.of(name, bytes);
    }
    if (name.endsWith(FuzzableState.ENDING)) {
      return FuzzableState.of(name, file);
    }
    String ending = name.substring(name.lastIndexOf('.') + 1);
    Kind kind =
        switch (ending) {
          case "db3", "zst", "zstd" -> Kind.MESSAGES;
          case "yaml" -> Kind.MAP;
          case "pbm", "pgm", "ppm", "png", "bmp", "gif", "jpg", "tiff" -> Kind.PICTURE;
          case "tum" -> Kind.POSES;
          case "journal" -> Kind.JOURNAL;
          case "spool" -> Kind.SPOOL;
          default -> Kind.SCANS;
        };
    boolean hasLines = kind == Kind.POSES || (kind == Kind.SCANS && !ending.equals("gz"));
    List<Part> parts = hasLines ? lines(kind, bytes) : List.of();
    return new FuzzInput(name, kind, bytes, parts, false, List.of());
  }

  private static List<Part> lines(Kind kind, byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    List<Part> parts = new ArrayList<>();
    for (int start = 0; start < text.length(); start = text.indexOf('\n', start) + 1) {
      int end = text.indexOf('\n', start) + 1;
      String[] words = text.substring(start, end).trim().split(" ");
      boolean isScan = SCAN_LINES.contains(LineReader.keyword(words[0]));
      if (isScan || kind == Kind.POSES) {
        BigDecimal stamp = new BigDecimal(words[isScan ? words.length - WORDS_FROM_STAMP : 0]);
        long nanos = stamp.movePointRight(NANOS_DECIMALS).longValueExact();
        Extent line = new Extent(Math.max(0, start - 1), end, start == 0);
        parts.add(new Part(Long.toString(nanos), List.of(line), List.of()));
      }
    }
    return parts;
  }
}
