package org.cartostream.cli;

import java.util.List;

/** What the command line says of how many there are to be of something. */
final class Counts {

  private Counts() {}

  /**
   * Nothing, if every value of an option is a number of something.
   *
   * @throws Failure if one is less than 1
   */
  static void atLeastOne(String option, List<Integer> values) {
    values.forEach(value -> atLeastOne(option, value));
  }

  /** The same of an option with one value. */
  static void atLeastOne(String option, long value) {
    if (value < 1) {
      throw Failure.wrongUsage(option + " " + value + ": it must be at least 1");
    }
  }
}
