package org.cartostream.cli.options;

import java.util.List;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Checks of options that several commands need. */
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

  /** Checks that the value of an option is at least 1. */
  public static void atLeastOne(String option, long value) {
    if (value < 1) {
      throw ExitException.wrongUsage(option + " " + value + ": it must be at least 1");
    }
  }

  /**
   * Nothing, if the value of an option is more than 0.
   *
   * @throws ExitException if it is not, or is no number
   */
  public static void moreThanZero(String option, double value) {
    if (!(value > 0)) {
      throw ExitException.wrongUsage(option + " " + value + ": it must be more than 0");
    }
  }

  /** Says how an option is called now, if it was given by the name that it had before. */
  public static void noteOldName(CommandSpec spec, String old, String name) {
    CommandLine line = spec.commandLine();
    if (line.getParseResult().originalArgs().stream().anyMatch(word -> isOption(word, old))) {
      line.getErr().println("note: " + old + " is called " + name + " now");
    }
  }

  private static boolean isOption(String word, String option) {
    return word.equals(option) || word.startsWith(option + "=");
  }
}
