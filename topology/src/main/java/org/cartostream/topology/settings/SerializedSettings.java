package org.cartostream.topology.settings;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.cartostream.settings.Settings;

/**
 * Settings as text by key, the form in which Storm ships them with components to workers: it uses
 * Java's serialization, which records of settings in other modules do not support.
 */
public final class SerializedSettings<R extends Record> implements Serializable {

  private static final long serialVersionUID = 1L;

  private final Class<R> type;
  private final LinkedHashMap<String, String> values;

  private SerializedSettings(Class<R> type, Map<String, String> values) {
    this.type = type;
    this.values = new LinkedHashMap<>(values);
  }

  public static <R extends Record> SerializedSettings<R> of(Class<R> type, R settings) {
    return new SerializedSettings<>(type, Settings.values(settings));
  }

  public R unpack() {
    return Settings.build(type, values);
  }
}
