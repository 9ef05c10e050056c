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
import org.cartostream.settings.file.PrintableText;
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
 * <p>Types, fields and constants have the numbers of {@link StateTypes}. Behind the state stands
 * the shape of each type in it ({@link StateClassResolver}). Where a type has another shape now,
 * the state was written by another version of the program and is refused before any of it is read;
 * a type whose shape is missing is refused where it is met. What has no number cannot be in it:
 * what is read cannot run what it likes.
 */
public final class StateCodec {

  /** A state is read into one array. */
  private static final long MAX_BYTES = Integer.MAX_VALUE - 64;

  /** Bytes are encoded in pieces of this length. */
  private static final int BLOCK_BYTES = 1 << 16;

  /** Letters of a stranger's in a sentence. */
  static final int MAX_SHOWN = 500;

  /**
   * Objects that refer to each other in a row are coded by recursion, at a kilobyte each or less.
   */
  private static final long STACK_BYTES = 256L << 20;

  /** Threads with such a stack, kept for a while: many states are coded in a row. */
  private static final ExecutorService THREADS =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), StateCodec::thread);

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
    static final String READ = "readContent";

    private final Object owner;

    Content(Object owner) {
      this.owner = owner;
    }

    /**
     * The object that this is the content of. As long as the object exists, the content is the
     * same.
     */
    Object owner() {
      return owner;
    }

    /** Returns the encoded bytes, in any thread and as late as one likes. */
    public byte[] bytes() {
      return (byte[])
          FieldsSerializer.call(FieldsSerializer.method(owner.getClass(), WRITE), owner);
    }
  }

  /**
   * The bytes of a state. Nobody may change it meanwhile.
   *
   * @throws IllegalStateException if they are 2 GB or more: one sentence
   * @throws IllegalArgumentException if a type or a field in it has no number: one sentence
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

  /** The shapes of all types that a state has, behind it, and where they begin. */
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
      // Kryo throws many kinds at bytes that are none of its own.
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
                  types.name(number),
                  PrintableText.of(classes.described(shape), MAX_SHOWN),
                  classes.described(now)));
    }
  }

  private static Kryo kryo(StateClassResolver classes, Object contents) {
    Kryo kryo = new Kryo(classes, new CheckedReferences());
    kryo.setRegistrationRequired(false); // The resolver refuses what has no number.
    kryo.setReferences(true);
    // How bytes are laid out would depend on what shapes do not have.
    kryo.setOptimizedGenerics(false);
    kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
    kryo.getContext().put(FieldsSerializer.CONTENTS, contents);
    return kryo;
  }

  /** A reference is of the type that stands before it, where that would make it a key. */
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
      if (e.getCause() instanceof Error error) { // No memory, above all.
        throw error;
      }
      throw new IllegalStateException("a state could not be coded", e.getCause());
    }
  }
}
