package org.cartostream.checkpoint;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.SerializerFactory;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.FieldSerializer;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import com.esotericsoftware.kryo.util.MapReferenceResolver;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * A state as bytes: a graph of plain objects with all their fields but the {@code transient} ones,
 * by Kryo. What several objects share is written once, and shared again when it is read.
 *
 * <p>An object that derives fields from others keeps those {@code transient} and has a method
 * {@code private Object readResolve()}, as for Java's serialization: it is called when the object's
 * other fields, and all objects in them, have been read, and returns the object.
 *
 * <p>Behind the state stands the shape of each class in it: its fields' names and types. Where a
 * class has another shape now, the state was written by another version of the program and is
 * refused before any of it is read. Only classes of this project, and the collections of the JDK
 * without code of their own, may be in it: what is read cannot run what it likes.
 */
public final class StateCodec {

  private static final int LEAST_BUFFER_BYTES = 1 << 16;

  /** No limit: the state is in this JVM's memory already. */
  private static final int NO_LIMIT = -1;

  /**
   * Objects that refer to each other in a row are written by recursion; the longest rows, a path's
   * nodes, have 10,000 (TrajectoryTree), and take 500 bytes of stack each.
   */
  private static final long STACK_BYTES = 256L << 20;

  private StateCodec() {}

  /**
   * The bytes of a state. Nobody may change it meanwhile.
   *
   * @param expectedBytes roughly how many there will be; more and fewer are right, too
   */
  public static ByteBuffer encode(Object state, int expectedBytes) {
    return onLargeStack(
        () -> {
          TreeMap<String, String> shapes = new TreeMap<>();
          Output out = new Output(Math.max(LEAST_BUFFER_BYTES, expectedBytes), NO_LIMIT);
          kryo(type -> shapes.put(type.getName(), shape(type))).writeClassAndObject(out, state);
          int end = out.position();
          out.writeVarInt(shapes.size(), true);
          shapes.forEach(
              (name, shape) -> {
                out.writeString(name);
                out.writeString(shape);
              });
          out.writeInt(end);
          return ByteBuffer.wrap(out.getBuffer(), 0, out.position());
        });
  }

  /**
   * The state in {@code bytes}.
   *
   * @param type what it is
   * @throws CheckpointException if it is none, or of another version of the program
   */
  public static <T> T decode(byte[] bytes, Class<T> type) throws CheckpointException {
    try {
      Input in = new Input(bytes);
      in.setPosition(bytes.length - Integer.BYTES);
      in.setPosition(in.readInt());
      int classes = in.readVarInt(true);
      for (int i = 0; i < classes; i++) {
        checkShape(in.readString(), in.readString());
      }
      in.setPosition(0);
      return type.cast(onLargeStack(() -> kryo(each -> {}).readClassAndObject(in)));
    } catch (RuntimeException e) {
      // Kryo throws many kinds at bytes that are none of its own.
      throw new CheckpointException(
          "%d bytes are no state of a %s".formatted(bytes.length, type.getSimpleName()), e);
    }
  }

  private static void checkShape(String name, String shape) throws CheckpointException {
    String now;
    try {
      now = shape(allowed(Class.forName(name)));
    } catch (ClassNotFoundException e) {
      throw new CheckpointException(
          "the state was written by another version of the program, which had a " + name, e);
    }
    if (!now.equals(shape)) {
      throw new CheckpointException(
          "the state was written by another version of the program: %s had %s, and has %s now"
              .formatted(name, shape, now));
    }
  }

  private interface TypeListener {
    void met(Class<?> type);
  }

  private static Kryo kryo(TypeListener typeListener) {
    Kryo kryo =
        new Kryo(
            new DefaultClassResolver() {
              @Override
              public Registration registerImplicit(Class type) {
                typeListener.met(allowed(type));
                return super.registerImplicit(type);
              }
            },
            new MapReferenceResolver());
    kryo.setRegistrationRequired(false);
    kryo.setReferences(true);
    kryo.setDefaultSerializer(
        new SerializerFactory.BaseSerializerFactory<FieldSerializer<?>>() {
          @Override
          @SuppressWarnings({"rawtypes", "unchecked"})
          public FieldSerializer<?> newSerializer(Kryo context, Class type) {
            return resolver(type) == null
                ? new FieldSerializer<>(context, type)
                : new ResolvingSerializer<>(context, type);
          }
        });
    kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
    return kryo;
  }

  /** The method by which objects of a class derive what was not written; null if it has none. */
  private static Method resolver(Class<?> type) {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals("readResolve") && method.getParameterCount() == 0) {
        method.setAccessible(true);
        return method;
      }
    }
    return null;
  }

  private static final class ResolvingSerializer<T> extends FieldSerializer<T> {

    private final Method resolver;

    ResolvingSerializer(Kryo kryo, Class<?> type) {
      super(kryo, type);
      resolver = resolver(type);
    }

    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
      T object = super.read(kryo, input, type);
      try {
        resolver.invoke(object);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a " + type.getName() + " cannot be restored", e);
      }
      return object;
    }
  }

  private static Class<?> allowed(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    String name = element.getName();
    boolean isData =
        element.isPrimitive()
            || element == Object.class
            || element == String.class
            || Number.class.isAssignableFrom(element)
            || name.startsWith("org.cartostream.")
            || name.startsWith("java.util.") && name.indexOf('.', "java.util.".length()) < 0;
    if (!isData || element.isHidden()) {
      throw new IllegalArgumentException(
          name + " cannot be part of a state: only data of this project and collections can");
    }
    return type;
  }

  /** A class's fields by name, with their types; those of the JDK's classes are its own affair. */
  private static String shape(Class<?> type) {
    if (!type.getName().startsWith("org.cartostream.")) {
      return "";
    }
    StringBuilder shape = new StringBuilder();
    if (type.isEnum()) {
      return Arrays.toString(type.getEnumConstants());
    }
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      Map<String, String> fields = new TreeMap<>(Comparator.naturalOrder());
      for (Field field : each.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && !Modifier.isTransient(field.getModifiers())) {
          fields.put(field.getName(), field.getType().getName());
        }
      }
      shape.append(fields);
    }
    return shape.toString();
  }

  private static <T> T onLargeStack(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(null, task, "checkpoint-codec", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a state was coded", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      if (e.getCause() instanceof Error error) { // No memory, above all.
        throw error;
      }
      throw new IllegalStateException("a state could not be coded", e.getCause());
    }
  }
}
