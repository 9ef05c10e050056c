package org.cartostream.topology.stream;

import com.esotericsoftware.kryo.Kryo;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;

/**
 * Registration with Kryo of the only classes that may cross from one worker to another: the {@link
 * Payload}s and their components.
 *
 * <p>The classes are found by walking the records' components, so that none is forgotten. All
 * workers walk in the same order, and so give the classes the same numbers.
 */
public final class KryoRegistration {

  private KryoRegistration() {}

  /** Registers all payload classes with Storm's Kryo, and forbids any other. */
  public static void registerWithStorm(Map<String, Object> conf) {
    conf.put(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, false);
    for (Class<?> type : classes()) {
      Config.registerSerialization(conf, type);
    }
  }

  /** Returns a Kryo for payloads that do not go through Storm; not thread-safe. */
  static Kryo kryo() {
    Kryo kryo = new Kryo();
    kryo.setRegistrationRequired(true);
    classes().forEach(kryo::register);
    return kryo;
  }

  /** Returns all classes of which payloads consist, in a fixed order. */
  static Set<Class<?>> classes() {
    Set<Class<?>> classes = new LinkedHashSet<>();
    collect(Payload.class, classes);
    return classes;
  }

  private static void collect(Class<?> type, Set<Class<?>> classes) {
    if (type.isSealed()) {
      for (Class<?> kind : type.getPermittedSubclasses()) {
        collect(kind, classes);
      }
    } else if (type.isArray()) {
      if (classes.add(type)) {
        collect(type.getComponentType(), classes);
      }
    } else if (type.isRecord()) {
      if (classes.add(type)) {
        for (RecordComponent component : type.getRecordComponents()) {
          collect(component.getType(), classes);
        }
      }
    } else if (!type.isPrimitive() && type != String.class) {
      throw new IllegalStateException(
          type + " cannot cross the wire; payloads are records, arrays, numbers and text");
    }
  }
}
