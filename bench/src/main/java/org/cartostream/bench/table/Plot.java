package org.cartostream.bench.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Line plot of one measured quantity of a table's rows over a number, such as the number of tasks.
 * Rows with the same name form one line.
 *
 * @param <R> type of a row
 * @param file name of the plot's file
 * @param title title of the plot, with the quantity's unit
 * @param figure gives a row's value; null if it was not measured
 */
public record Plot<R>(String file, String title, Function<R, MeanAndRange> figure) {

  /**
   * Writes the plot, if there is something to draw. Values of 0 or less are left out: the axis is
   * logarithmic.
   *
   * @param across title of the horizontal axis
   * @param x gives a row's place on the horizontal axis
   * @param name gives the name of the line that a row belongs to
   */
  public Optional<Path> write(
      Path folder, List<R> rows, String across, Function<R, Integer> x, Function<R, String> name)
      throws IOException {
    Map<String, List<LinePlot.Point>> lines = new LinkedHashMap<>();
    for (R row : rows) {
      MeanAndRange value = figure.apply(row);
      if (value != null && value.min() > 0) {
        lines
            .computeIfAbsent(name.apply(row), each -> new ArrayList<>())
            .add(new LinePlot.Point(x.apply(row), value.mean(), value.min(), value.max()));
      }
    }
    return new LinePlot(title, across, lines).write(folder.resolve(file));
  }
}
