package org.cartostream.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Translates keys of an earlier release into today's, so that an old configuration still serves for
 * one release.
 *
 * @param names old key, or section of keys, to the new one: {@code wheels} to {@code axle.wheels},
 *     or {@code waggon} for all keys below {@code waggon.}
 */
public record RenamedKeys(Map<String, String> names) {

  public RenamedKeys {
    names = Map.copyOf(names);
  }

  /**
   * The values by today's keys, in their order.
   *
   * @param values of one source, in which a key may stand under one of its names only
   * @param warn takes a sentence for each old key
   * @throws IllegalArgumentException if a value is given by its old key and by its new one
   */
  public Map<String, String> translate(Map<String, String> values, Consumer<String> warn) {
    Map<String, String> translated = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          String today = today(key);
          if (!today.equals(key)) {
            if (values.containsKey(today)) {
              throw new IllegalArgumentException(
                  "'"
                      + key
                      + "' is the old name of '"
                      + today
                      + "', and both are given; keep '"
                      + today
                      + "' only");
            }
            warn.accept(
                "'" + key + "' is called '" + today + "' now; the next release knows no old names");
          }
          translated.put(today, value);
        });
    return translated;
  }

  /** Today's name of a key. */
  public String today(String key) {
    // The whole key, then its sections from the innermost out.
    for (int end = key.length(); end > 0; end = key.lastIndexOf('.', end - 1)) {
      String renamed = names.get(key.substring(0, end));
      if (renamed != null) {
        return renamed + key.substring(end);
      }
    }
    return key;
  }
}
