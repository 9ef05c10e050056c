package org.cartostream.checkpoint;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import com.esotericsoftware.kryo.util.MapReferenceResolver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * Codec, based on Kryo, of a component's state: a graph of plain objects with all their fields
 * except {@code transient} ones. An object to which several others refer is written once, and is
 * one object again when it is read.
 *
 * <p>A class with fields that are derived from others declares these {@code transient} and has a
 * method {@code private Object readResolve()}, as for Java's serialization. The codec calls the
 * method when the object's other fields, and all objects in them, have been read; it returns the
 * object.
 *
 * <p>A class with a large content that never changes keeps the content in a {@code transient}
 * field, and has methods {@code private byte[] writeContent()} and {@code private void
 * readContent(byte[])}. Such contents are numbered and stored beside the state's bytes, so that all
 * checkpoints of a run can share them.
 *
 * <p>Types, fields and constants are written as the numbers of {@link StateTypes}. After the
 * objects come the shapes of all types in the state ({@link StateClassResolver}). If a type's shape
 * has changed, the state was written by another version of the program, and is refused before any
 * object is read. An object whose type's shape is missing is refused. A type without a number
 * cannot be in a state, so that an untrusted state cannot create objects of arbitrary classes.
 */
public final class StateCodec {

  /** Maximum size of a state, bytes: that of an array, into which the whole state is read. */
  private static final long MAX_BYTES = Integer.MAX_VALUE - 64;

  /** Size of the blocks into which a state is encoded, bytes. */
  private static final int BLOCK_BYTES = 1 << 16;

  /** Maximum length of a text of unknown origin in a message, characters. */
  static final int MAX_SHOWN = 500;

  /**
   * Stack of a thread that encodes or decodes, bytes. Each object of a chain of references takes
   * one level of recursion, with a kilobyte or less.
   */
  private static final long STACK_BYTES = 256L << 20;

  /**
   * Threads with a stack of {@code STACK_BYTES}, kept for 10 s: often many states are coded in a
   * row.
   */
  private static final ExecutorService THREADS =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), StateCodec::thread);

  private StateCodec() {}

  /**
   * An encoded state.
   *
   * @param blocks bytes of the state in consecutive blocks, without the contents beside it
   * @param contents contents beside the state, by their numbers
   */
  public record Encoded(ByteBuffer[] blocks, List<Content> contents) {

    /** Returns the sum of all blocks' lengths, bytes. */
    public long size() {
      return BlockOutput.bytes(blocks);
    }

    /** Returns a copy of all blocks as one array; for small states. */
    public byte[] bytes() {
      ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(size()));
      Stream.of(blocks).forEach(each -> all.put(each.duplicate()));
      return all.array();
    }
  }

  /** Reader of the contents beside a state, by their numbers. */
  public interface ContentReader {
    byte[] read(int number) throws IOException;
  }

  /**
   * The large, unchanging content of an object, stored beside the state that the object is part of.
   */
  public static final class Content {

    private static final String WRITE = "writeContent";
    static final String READ = "readContent";

    private final Object owner;

    Content(Object owner) {
      this.owner = owner;
    }

    /**
     * Returns the object that has the content. The content stays the same as long as the object
     * exists.
     */
    Object owner() {
      return owner;
    }

    /** Returns the content's bytes; may be called by any thread, at any later time. */
    public byte[] bytes() {
      return (byte[])
          FieldsSerializer.call(FieldsSerializer.method(owner.getClass(), WRITE), owner);
    }
  }

  /**
   * Encodes a state, which must not change meanwhile.
   *
   * @throws IllegalStateException if the state takes 2 GB or more
   * @throws IllegalArgumentException if a type or a field in the state has no number in the table
   *     of types
   */
  public static Encoded encode(Object state) {
    return encode(state, StateTypes.installed());
  }

  static Encoded encode(Object state, StateTypes types) {
    List<Content> contents = new ArrayList<>();
    ByteBuffer[] blocks = onLargeStack(() -> encode(state, types, contents));
    return new Encoded(blocks, List.copyOf(contents));
  }

  private static ByteBuffer[] encode(Object state, StateTypes types, List<Content> contents) {
    BlockOutput blocks = new BlockOutput(MAX_BYTES);
    Output out = new Output(blocks, BLOCK_BYTES);
    StateClassResolver classes = new StateClassResolver(types);
    try {
      kryo(classes, contents).writeClassAndObject(out, state);
    } catch (StateRefusedException e) {
      throw new IllegalStateException("a state cannot be kept: " + e.getMessage(), e);
    }
    writeShapes(classes, out);
    out.flush();
    return blocks.blocks();
  }

  /** Writes the shapes of all types in a state, and then the position at which the shapes begin. */
  static void writeShapes(StateClassResolver classes, Output out) {
    int end = Math.toIntExact(out.total());
    out.writeVarInt(classes.shapes().size(), true);
    classes
        .shapes()
        .forEach(
            (number, shape) -> {
              out.writeVarInt(number, true);
              out.writeVarInt(shape.length, true);
              out.writeInts(shape, 0, shape.length, true);
            });
    out.writeInt(end);
  }

  /**
   * Decodes a state that has no contents beside it.
   *
   * @param type class of the state
   * @throws CheckpointException if the bytes are no such state, or were written by another version
   *     of the program
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
   * Decodes a state.
   *
   * @param type class of the state
   * @param contents reader of the contents beside the state
   * @throws CheckpointException if the bytes are no such state, or were written by another version
   *     of the program
   * @throws IOException if a content beside the state cannot be read
   */
  public static <T> T decode(byte[] bytes, Class<T> type, ContentReader contents)
      throws IOException {
    StateInput in = new StateInput(bytes, Runtime.getRuntime().maxMemory());
    return decode(in, type, contents, StateTypes.installed());
  }

  static <T> T decode(StateInput in, Class<T> type, ContentReader contents, StateTypes types)
      throws IOException {
    try {
      return type.cast(onLargeStack(() -> decode(in, contents, types)));
    } catch (RuntimeException e) {
      String why = "";
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof UncheckedIOException outside) {
          throw outside.getCause();
        }
        if (cause instanceof StateRefusedException refused) {
          why = ": " + refused.getMessage();
        }
      }
      // Kryo throws many kinds of exceptions for bytes that it has not written.
      throw new CheckpointException(
          "%d bytes are no state of a %s%s".formatted(in.limit(), type.getSimpleName(), why), e);
    }
  }

  private static Object decode(StateInput in, ContentReader contents, StateTypes types)
      throws CheckpointException {
    StateClassResolver classes = new StateClassResolver(types);
    Kryo kryo = kryo(classes, contents);
    in.setPosition(in.limit() - Integer.BYTES);
    in.setPosition(in.readInt());
    for (int left = in.readVarInt(true); left > 0; left--) {
      checkShape(classes, types, in);
    }
    classes.close();
    in.setPosition(0);
    return kryo.readClassAndObject(in);
  }

  private static void checkShape(StateClassResolver classes, StateTypes types, StateInput in)
      throws CheckpointException {
    int number = in.readVarInt(true);
    int length = in.readVarInt(true);
    in.take(length, Integer.BYTES);
    int[] shape = in.readInts(length, true);
    int[] now;
    try {
      now = classes.shape(number);
    } catch (StateRefusedException e) {
      throw new CheckpointException(
          "the state was written by another version of the program: " + e.getMessage(), e);
    }
    if (!Arrays.equals(shape, now)) {
      throw new CheckpointException(
          "the state was written by another version of the program: %s had %s, and has %s now"
              .formatted(
                  types.name(number), shown(classes.described(shape)), classes.described(now)));
    }
  }

  /**
   * Returns a text of unknown origin as it can stand in a message: at most {@value #MAX_SHOWN}
   * characters, and no control characters.
   */
  static String shown(String text) {
    String start = text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
    return start.replaceAll("\\p{Cntrl}", "?");
  }

  private static Kryo kryo(StateClassResolver classes, Object contents) {
    Kryo kryo = new Kryo(classes, new CheckedReferences());
    kryo.setRegistrationRequired(false); // The resolver refuses types without a number.
    kryo.setReferences(true);
    // Else the layout of the bytes would depend on generic types, which are not in shapes.
    kryo.setOptimizedGenerics(false);
    kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
    kryo.getContext().put(FieldsSerializer.CONTENTS, contents);
    return kryo;
  }

  /**
   * Resolver of references to objects read before. It refuses a reference by which an object of a
   * type that may not be a key would be read as a key.
   */
  private static final class CheckedReferences extends MapReferenceResolver {

    @Override
    @SuppressWarnings("rawtypes")
    public Object getReadObject(Class type, int id) {
      Object object = super.getReadObject(type, id);
      if (object != null
          && !type.isInstance(object)
          && StateClassResolver.isKey(type)
          && !StateClassResolver.isKey(object.getClass())) {
        throw new StateRefusedException(
            "a reference to %s is to %s", type.getName(), object.getClass().getName());
      }
      return object;
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(null, work, "checkpoint-codec", STACK_BYTES);
    thread.setDaemon(true);
    return thread;
  }

  private static <T> T onLargeStack(Callable<T> work) {
    try {
      return THREADS.submit(work).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a state was coded", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      if (e.getCause() instanceof CheckpointException refused) {
        throw new UncheckedIOException(refused);
      }
      if (e.getCause() instanceof Error error) { // Such as OutOfMemoryError.
        throw error;
      }
      throw new IllegalStateException("a state could not be coded", e.getCause());
    }
  }
}
