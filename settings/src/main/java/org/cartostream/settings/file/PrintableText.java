package org.cartostream.settings.file;

/** Text of unknown origin, made fit for a message: short, and without control characters. */
public final class PrintableText {

  private static final int MAX_CHARACTERS = 60;

  private PrintableText() {}

  public static String of(String text) {
    return of(text, MAX_CHARACTERS);
  }

  /**
   * @param text may be null
   * @param max as many characters are shown, and dots in place of the others
   */
  public static String of(String text, int max) {
    String line = String.valueOf(text).strip();
    return (line.length() > max ? line.substring(0, max) + "..." : line)
        .replaceAll("(?U)\\P{Print}", "?");
  }
}
