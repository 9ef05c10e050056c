package org.cartostream.ros.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a process that may still run has printed into a file. */
public final class PrintedLines {

  private PrintedLines() {}

  /** The whole lines; one that is being printed is left out. */
  public static List<String> of(Path file) {
    try {
      String text = Files.readString(file);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The numbers in lines that begin with a word. */
  public static List<Integer> numbers(List<String> lines, String word) {
    return lines.stream()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> Integer.parseInt(line.split(" ")[1]))
        .toList();
  }
}
