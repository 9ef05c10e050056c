package org.cartostream.slam.file;

/** Text of unknown origin, made fit for a message: short, and without control characters. */
public final class PrintableText {

  private static final int MAX_CHARACTERS = 60;

  private PrintableText() {}

  public static String of(String text) {
    String line = text.strip();
    String shown =
        line.length() > MAX_CHARACTERS ? line.substring(0, MAX_CHARACTERS) + "..." : line;
    return shown.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
