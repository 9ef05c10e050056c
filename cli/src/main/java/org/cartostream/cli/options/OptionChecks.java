package org.cartostream.cli.options;

import java.util.List;
import org.cartostream.run.exit.ExitException;

/** Checks of options that several commands need. */
public final class OptionChecks {

  private OptionChecks() {}

  /**
   * Checks that every value of an option is at least 1.
   *
   * @throws ExitException if a value is less than 1
   */
  public static void atLeastOne(String option, List<Integer> values) {
    values.forEach(value -> atLeastOne(option, value));
  }

  /** Checks that the value of an option is at least 1. */
  public static void atLeastOne(String option, long value) {
    if (value < 1) {
      throw ExitException.wrongUsage(option + " " + value + ": it must be at least 1");
    }
  }

  /**
   * Checks that the value of an option is more than 0.
   *
   * @throws ExitException if the value is 0, negative or not a number
   */
  public static void moreThanZero(String option, double value) {
    if (!(value > 0)) {
      throw ExitException.wrongUsage(option + " " + value + ": it must be more than 0");
    }
  }
}
