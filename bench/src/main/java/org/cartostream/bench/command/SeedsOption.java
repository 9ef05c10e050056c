package org.cartostream.bench.command;

import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Option that names the seeds of a measurement's runs. */
final class SeedsOption {

  /** Parser of seeds, with a sentence for people if they are malformed. */
  static final class SeedsConverter implements ITypeConverter<Seeds> {
    @Override
    public Seeds convert(String text) {
      try {
        return Seeds.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "'" + text + "' names no seeds; 1..5 or 1,2,7 would: " + e.getMessage());
      }
    }
  }

  @Option(
      names = "--seeds",
      paramLabel = "S",
      defaultValue = "1..5",
      converter = SeedsConverter.class,
      description = "The seeds, as 1..5 or 1,2,7. Default: ${DEFAULT-VALUE}.")
  private Seeds seeds;

  /** Returns the seeds, at least one. */
  List<Long> list() {
    return seeds.list();
  }
}
