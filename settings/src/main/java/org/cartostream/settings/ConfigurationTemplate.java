package org.cartostream.settings;

import java.util.Arrays;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Generator of a YAML configuration file that has every setting with its default, unit, bounds and
 * description.
 */
public final class ConfigurationTemplate {

  private static final int WIDTH = 96;

  private final StringBuilder page = new StringBuilder();
  private String[] open = {};

  private ConfigurationTemplate() {}

  /**
   * Returns the file's text. Given to {@code --config} unchanged, the file changes no setting.
   *
   * @param type settings record of the whole configuration
   */
  public static String text(Class<? extends Record> type) {
    ConfigurationTemplate settings = new ConfigurationTemplate();
    settings.page.append(
        "# Every setting of Cartostream with its default. Keep what you change, and give the file\n"
            + "# to --config. One value can also be given by --set slam.particles=30\n");
    Settings.keys(type).forEach(settings::key);
    return settings.page.toString();
  }

  private void key(Settings.Key key) {
    String[] path = key.name().split("\\.");
    int same = 0;
    while (same < open.length && same < path.length - 1 && open[same].equals(path[same])) {
      same++;
    }
    for (int depth = same; depth < path.length - 1; depth++) {
      page.append('\n').append(indent(depth)).append(path[depth]).append(":\n");
    }
    open = Arrays.copyOf(path, path.length - 1);
    String indent = indent(open.length);
    comment(indent, key.setting().description() + " " + limits(key));
    String value = key.setting().value();
    String shown = key.type() == String.class ? '"' + value + '"' : value;
    page.append(indent).append(path[path.length - 1]).append(": ").append(shown).append('\n');
  }

  private void comment(String indent, String text) {
    StringBuilder line = new StringBuilder(indent + "#");
    for (String word : text.trim().split(" ")) {
      if (line.length() + 1 + word.length() > WIDTH) {
        page.append(line).append('\n');
        line = new StringBuilder(indent + "#");
      }
      line.append(' ').append(word);
    }
    page.append(line).append('\n');
  }

  private static String limits(Settings.Key key) {
    Setting setting = key.setting();
    StringJoiner limits = new StringJoiner(", ", "[", "]").setEmptyValue("");
    if (key.type().isEnum()) {
      StringJoiner choices = new StringJoiner(" | ");
      for (Object constant : key.type().getEnumConstants()) {
        choices.add(constant.toString().toLowerCase(Locale.ROOT));
      }
      limits.add(choices.toString());
    }
    if (!setting.unit().isEmpty()) {
      limits.add(setting.unit());
    }
    if (setting.min() != Double.NEGATIVE_INFINITY) {
      limits.add("at least " + Settings.plain(setting.min()));
    }
    if (setting.max() != Double.POSITIVE_INFINITY) {
      limits.add("at most " + Settings.plain(setting.max()));
    }
    return limits.toString();
  }

  private static String indent(int depth) {
    return "  ".repeat(depth);
  }
}
