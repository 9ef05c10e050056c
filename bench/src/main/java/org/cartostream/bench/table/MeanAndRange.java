package org.cartostream.bench.table;

import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/** Mean, least and largest value of one figure over several runs. */
public record MeanAndRange(double mean, double min, double max) {

  /** Returns a figure that was measured once. */
  public static MeanAndRange single(double value) {
    return new MeanAndRange(value, value, value);
  }

  /** Returns the same figure in another unit. */
  public MeanAndRange times(double factor) {
    return new MeanAndRange(factor * mean, factor * min, factor * max);
  }

  /** Returns mean and range of a figure over runs; null if a run lacks it. */
  public static <T> MeanAndRange of(Collection<T> runs, Function<T, ? extends Number> figure) {
    DoubleSummaryStatistics figures =
        runs.stream()
            .map(figure)
            .filter(Objects::nonNull)
            .mapToDouble(Number::doubleValue)
            .summaryStatistics();
    return runs.isEmpty() || figures.getCount() < runs.size()
        ? null
        : new MeanAndRange(figures.getAverage(), figures.getMin(), figures.getMax());
  }

  /** Formats the mean for a table; {@code -} stands for a figure that was not measured. */
  public static String mean(MeanAndRange meanAndRange) {
    return meanAndRange == null ? "-" : String.format(Locale.ROOT, "%.3f", meanAndRange.mean);
  }

  /** Formats the least and the largest value for a table. */
  public static String range(MeanAndRange meanAndRange) {
    return meanAndRange == null
        ? "-"
        : String.format(Locale.ROOT, "%.3f-%.3f", meanAndRange.min, meanAndRange.max);
  }
}
