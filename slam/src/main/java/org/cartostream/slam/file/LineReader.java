package org.cartostream.slam.file;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.ZipException;

/**
 * The lines of a text, one at a time. Owns the stream and the number of the line reached.
 *
 * <p>No line takes more memory than {@link #MAX_BYTES}: the rest of a longer line is skipped, so
 * that a binary file does no harm.
 */
public final class LineReader implements Closeable {

  /** Maximum length of a line, bytes: a scan of 100,000 beams fits. */
  public static final int MAX_BYTES = 1 << 20;

  /** The byte order mark of UTF-8, which some editors write before a text. */
  static final String UTF_8_MARK = "\u00ef\u00bb\u00bf";

  private final InputStream in;
  private byte[] line = new byte[4096];
  private int number;
  private boolean endsInsideLine;
  private String archiveDamage = "";

  public LineReader(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  /**
   * Returns the next line without its end; null after the last line of the text, or of the readable
   * part of a damaged archive.
   */
  public String next() throws IOException {
    int length = 0;
    int read = read();
    if (read < 0) {
      return null;
    }
    for (; read >= 0 && read != '\n'; read = read()) {
      if (length < MAX_BYTES) {
        if (length == line.length) {
          line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = (byte) read;
      }
    }
    number++;
    endsInsideLine = read < 0;
    String text = new String(line, 0, length, StandardCharsets.ISO_8859_1);
    boolean isMarked = number == 1 && text.startsWith(UTF_8_MARK);
    return isMarked ? text.substring(UTF_8_MARK.length()) : text;
  }

  private int read() throws IOException {
    if (!archiveDamage.isEmpty()) {
      return -1;
    }
    try {
      return in.read();
    } catch (EOFException | ZipException e) {
      archiveDamage = String.valueOf(e.getMessage());
      return -1;
    }
  }

  /** Returns why the rest of an archive cannot be unpacked; empty if there was no damage so far. */
  public String archiveDamage() {
    return archiveDamage;
  }

  /**
   * Returns true if the line that {@link #next} gave last has no line end: it is the text's last.
   */
  public boolean endsInsideLine() {
    return endsInsideLine;
  }

  /** Number of the line that {@link #next} gave last, counted from 1. */
  public int number() {
    return number;
  }

  /** Returns the keyword of a line: its first field, or "" if it is blank. */
  public static String keyword(String line) {
    int start = 0;
    while (start < line.length() && line.charAt(start) <= ' ') {
      start++;
    }
    int end = start;
    while (end < line.length() && line.charAt(end) > ' ') {
      end++;
    }
    return line.substring(start, end);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
