package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * What a first pass over a file finds. It reads every {@code FLASER} line whole.
 *
 * @param isPoseGraph true for g2o, false for CARMEN
 * @param scans number of scan lines, at least 1
 * @param frontLaserRange from which on a {@code FLASER} reading says that nothing was met, metres
 */
record Survey(boolean isPoseGraph, int scans, double frontLaserRange) {

  private static final Set<String> GRAPH_KEYWORDS = Set.of("VERTEX_SE2", "EDGE_SE2");

  static Survey of(Path file) throws IOException {
    String first = null;
    boolean graph = false;
    int scans = 0;
    NothingMet nothingMet = new NothingMet();
    try (Lines lines = new Lines(LogBytes.open(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        String keyword = Lines.keyword(line);
        first = first == null && !keyword.isEmpty() ? line : first;
        graph |= GRAPH_KEYWORDS.contains(keyword);
        scans += ScanLine.KEYWORDS.contains(keyword) ? 1 : 0;
        if (keyword.equals(ScanLine.FRONT_LASER)) {
          look(line, nothingMet);
        }
      }
    }
    if (scans == 0) {
      throw new LogFormatException(noLog(file, first, graph));
    }
    return new Survey(graph, scans, nothingMet.range());
  }

  private static void look(String line, NothingMet nothingMet) {
    try {
      nothingMet.see(ScanLine.parse(line, NothingMet.FAR).scan().ranges());
    } catch (UnusableLine e) {
      // It will be refused, with its number and the reason, when its turn comes.
    }
  }

  private static String noLog(Path file, String first, boolean graph) {
    if (first == null) {
      return file + " is empty; a CARMEN log or a g2o file with scans is needed";
    }
    return file
        + (graph ? " is a pose graph without" : " is no log: it has no")
        + " laser scans (its first line is \""
        + Printable.of(first)
        + "\"); scans are lines that begin with FLASER or ROBOTLASER1";
  }
}
