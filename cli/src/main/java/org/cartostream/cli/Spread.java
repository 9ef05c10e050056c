package org.cartostream.cli;

import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/** One figure over several runs. */
record Spread(double mean, double min, double max) {

  /** The spread of a figure, or null if a run does not have it. */
  static <T> Spread of(Collection<T> runs, Function<T, ? extends Number> figure) {
    DoubleSummaryStatistics figures =
        runs.stream()
            .map(figure)
            .filter(Objects::nonNull)
            .mapToDouble(Number::doubleValue)
            .summaryStatistics();
    return runs.isEmpty() || figures.getCount() < runs.size()
        ? null
        : new Spread(figures.getAverage(), figures.getMin(), figures.getMax());
  }

  /** The mean for a table; {@code -} stands for a figure that was not measured. */
  static String mean(Spread spread) {
    return spread == null ? "-" : String.format(Locale.ROOT, "%.3f", spread.mean);
  }

  /** The least and the largest, for a table. */
  static String range(Spread spread) {
    return spread == null ? "-" : String.format(Locale.ROOT, "%.3f-%.3f", spread.min, spread.max);
  }
}
