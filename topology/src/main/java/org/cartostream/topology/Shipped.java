package org.cartostream.topology;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.cartostream.slam.config.Settings;

/**
 * Settings as components carry them to their workers: as text by key, for Storm ships components by
 * Java's serialization, which the settings of other rooms know nothing of.
 */
final class Shipped<R extends Record> implements Serializable {

  private static final long serialVersionUID = 1L;

  private final Class<R> type;
  private final LinkedHashMap<String, String> values;

  private Shipped(Class<R> type, Map<String, String> values) {
    this.type = type;
    this.values = new LinkedHashMap<>(values);
  }

  static <R extends Record> Shipped<R> of(Class<R> type, R settings) {
    return new Shipped<>(type, Settings.values(settings));
  }

  R unpack() {
    return Settings.build(type, values);
  }
}
