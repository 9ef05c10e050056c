package org.cartostream.cli.options;

import java.util.List;
import org.cartostream.run.exit.ExitException;

/** What the command line says of how many there are to be of something. */
public final class OptionChecks {

  private OptionChecks() {}

  /**
   * Nothing, if every value of an option is a number of something.
   *
   * @throws ExitException if one is less than 1
   */
  public static void atLeastOne(String option, List<Integer> values) {
    values.forEach(value -> atLeastOne(option, value));
  }

  /** The same of an option with one value. */
  public static void atLeastOne(String option, long value) {
    if (value < 1) {
      throw ExitException.wrongUsage(option + " " + value + ": it must be at least 1");
    }
  }
}
