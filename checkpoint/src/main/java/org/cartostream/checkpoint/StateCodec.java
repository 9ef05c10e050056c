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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * A state as bytes: a graph of plain objects with all their fields but the {@code transient} ones,
 * by Kryo. What several objects share is written once, and shared again when it is read.
 *
 * <p>An object that derives fields from others keeps those {@code transient} and has a method
 * {@code private Object readResolve()}, as for Java's serialization: it is called when the object's
 * other fields, and all objects in them, have been read, and returns the object.
 *
 * <p>An object whose content is large and never changes keeps it {@code transient}, and has methods
 * {@code private byte[] writeContent()} and {@code private void readContent(byte[])}: such contents
 * are not among the state's bytes but beside them, numbered, so that all checkpoints of a run can
 * share them.
 *
 * <p>Behind the state stands the shape of each class in it: its fields' names and types. Where a
 * class has another shape now, the state was written by another version of the program and is
 * refused before any of it is read. Only classes of this project, and the collections of the JDK
 * without code of their own, may be in it: what is read cannot run what it likes.
 */
public final class StateCodec {

  /** A state is read into one array. */
  private static final long MOST_BYTES = Integer.MAX_VALUE - 64;

  /** Bytes are encoded in pieces of this length. */
  private static final int BLOCK_BYTES = 1 << 16;

  /**
   * Objects that refer to each other in a row are written by recursion; the longest rows, a path's
   * nodes, have 10,000 (TrajectoryTree), and take 500 bytes of stack each.
   */
  private static final long STACK_BYTES = 256L << 20;

  private static final String RESOLVE = "readResolve";

  /** Where Kryo's context has the contents of the state at hand. */
  private static final String CONTENTS = "contents";

  private StateCodec() {}

  /**
   * A state as bytes.
   *
   * @param blocks its bytes, one block behind the other, without the contents beside it
   * @param contents beside it, by their numbers
   */
  public record Encoded(ByteBuffer[] blocks, List<Content> contents) {

    /** The sum of all blocks' lengths, bytes. */
    public long size() {
      return BlockOutput.bytes(blocks);
    }

    /** A copy of the blocks' bytes, of a state that is small. */
    public byte[] bytes() {
      ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(size()));
      Stream.of(blocks).forEach(each -> all.put(each.duplicate()));
      return all.array();
    }
  }

  /** Gives the contents beside a state by their numbers. */
  public interface ContentReader {
    byte[] read(int number) throws IOException;
  }

  /** A large content that an object has, and that never changes. */
  public static final class Content {

    private static final String WRITE = "writeContent";
    private static final String READ = "readContent";

    private final Object owner;

    private Content(Object owner) {
      this.owner = owner;
    }

    /**
     * The object that this is the content of. As long as the object exists, the content is the
     * same.
     */
    Object owner() {
      return owner;
    }

    /** It may be asked for in any thread, and as late as one likes. */
    public byte[] bytes() {
      return (byte[]) call(method(owner.getClass(), WRITE), owner);
    }
  }

  /**
   * The bytes of a state. Nobody may change it meanwhile.
   *
   * @throws IllegalStateException if they are 2 GB or more: one sentence
   */
  public static Encoded encode(Object state) {
    List<Content> contents = new ArrayList<>();
    ByteBuffer[] blocks = encode(state, contents);
    return new Encoded(blocks, List.copyOf(contents));
  }

  private static ByteBuffer[] encode(Object state, List<Content> contents) {
    return onLargeStack(
        () -> {
          TreeMap<String, String> shapes = new TreeMap<>();
          BlockOutput blocks = new BlockOutput(MOST_BYTES);
          Output out = new Output(blocks, BLOCK_BYTES);
          Kryo kryo = kryo(type -> shapes.put(type.getName(), shape(type)));
          kryo.getContext().put(CONTENTS, contents);
          kryo.writeClassAndObject(out, state);
          int end = Math.toIntExact(out.total());
          out.writeVarInt(shapes.size(), true);
          shapes.forEach(
              (name, shape) -> {
                out.writeString(name);
                out.writeString(shape);
              });
          out.writeInt(end);
          out.flush();
          return blocks.blocks();
        });
  }

  /**
   * The state in {@code bytes}, which has no contents beside it.
   *
   * @param type what it is
   * @throws CheckpointException if it is none, or of another version of the program
   */
  public static <T> T decode(byte[] bytes, Class<T> type) throws IOException {
    return decode(
        bytes,
        type,
        number -> {
          throw new CheckpointException("the content " + number + " beside a state is missing");
        });
  }

  /**
   * The state in {@code bytes}.
   *
   * @param type what it is
   * @param contents beside it
   * @throws CheckpointException if it is none, or of another version of the program
   * @throws IOException if a content beside it cannot be read
   */
  public static <T> T decode(byte[] bytes, Class<T> type, ContentReader contents)
      throws IOException {
    try {
      Input in = new Input(bytes);
      in.setPosition(bytes.length - Integer.BYTES);
      in.setPosition(in.readInt());
      int classes = in.readVarInt(true);
      for (int i = 0; i < classes; i++) {
        checkShape(in.readString(), in.readString());
      }
      in.setPosition(0);
      Kryo kryo = kryo(each -> {});
      kryo.getContext().put(CONTENTS, contents);
      return type.cast(onLargeStack(() -> kryo.readClassAndObject(in)));
    } catch (RuntimeException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof UncheckedIOException outside) {
          throw outside.getCause();
        }
      }
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
            if (method(type, Content.WRITE) != null) {
              return new ContentSerializer<>(context, type);
            }
            return method(type, RESOLVE) == null
                ? new FieldSerializer<>(context, type)
                : new ResolvingSerializer<>(context, type);
          }
        });
    kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
    return kryo;
  }

  /** A class's own method of a name; null if it has none. */
  private static Method method(Class<?> type, String name) {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals(name)) {
        method.setAccessible(true);
        return method;
      }
    }
    return null;
  }

  private static Object call(Method method, Object of, Object... arguments) {
    try {
      return method.invoke(of, arguments);
    } catch (ReflectiveOperationException e) {
      String name = of.getClass().getName() + "." + method.getName();
      throw new IllegalStateException(name + " cannot be called", e);
    }
  }

  private static final class ResolvingSerializer<T> extends FieldSerializer<T> {

    private final Method resolver;

    ResolvingSerializer(Kryo kryo, Class<?> type) {
      super(kryo, type);
      resolver = method(type, RESOLVE);
    }

    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
      T object = super.read(kryo, input, type);
      call(resolver, object);
      return object;
    }
  }

  /** Contents are numbered as they are met, which is in the same order each time. */
  private static final class ContentSerializer<T> extends FieldSerializer<T> {

    private final Method reader;

    ContentSerializer(Kryo kryo, Class<?> type) {
      super(kryo, type);
      reader = method(type, Content.READ);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void write(Kryo kryo, Output output, T object) {
      super.write(kryo, output, object);
      List<Content> contents = (List<Content>) kryo.getContext().get(CONTENTS);
      output.writeVarInt(contents.size(), true);
      contents.add(new Content(object));
    }

    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
      T object = super.read(kryo, input, type);
      ContentReader contents = (ContentReader) kryo.getContext().get(CONTENTS);
      try {
        call(reader, object, contents.read(input.readVarInt(true)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
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
