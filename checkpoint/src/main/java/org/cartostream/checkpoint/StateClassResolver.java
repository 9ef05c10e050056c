package org.cartostream.checkpoint;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Kryo's class resolver for saved states: writes the number that {@link StateTypes} gives a class
 * in place of its name. Owns the shapes of the types that occur in one state.
 *
 * <p>The shape of a type is the layout of its bytes. A class that is not the JDK's has one entry
 * for itself and for each superclass with fields: the class's number, the count of its fields, and
 * the number and kind of each field. An array has the kind of its elements. Enums and the JDK's
 * classes have an empty shape.
 */
final class StateClassResolver extends DefaultClassResolver {

  /**
   * Maximum length of a chain of references. A filter's longest chain, the nodes of a path, has
   * 10,000; {@link StateCodec}'s stack suffices for the maximum.
   */
  private static final int MAX_DEPTH = 100_000;

  /**
   * Kind of a field whose values are objects of any type, each written with its type. Other kinds
   * are a primitive type (1 and up, as in {@link #PRIMITIVES}), then a final class by its number.
   */
  private static final int ANY = 0;

  private static final String PRIMITIVES = "ZBCSIJFD";

  /** Size of a reference in a heap below 32 GB, bytes. */
  private static final int REFERENCE_BYTES = 4;

  private final StateTypes types;
  private final Map<Integer, int[]> shapes = new TreeMap<>();

  /** True once the set of types is complete: any other type is refused. */
  private boolean isClosed;

  /** Cache of {@link #isKey}, by type: a map has many keys. */
  private final Map<Class<?>, Boolean> keys = new HashMap<>();

  /** Set or map whose elements are being read; null inside any other object. */
  private Keyed keyed;

  StateClassResolver(StateTypes types) {
    this.types = types;
  }

  /** Returns the shapes of the types that occurred, by the types' numbers. */
  Map<Integer, int[]> shapes() {
    return shapes;
  }

  /**
   * Closes the set of types when all shapes are read: a state that holds an object of another type
   * is refused.
   */
  void close() {
    isClosed = true;
  }

  /** Returns the shape that a type has in this version of the program. */
  int[] shape(int number) {
    if (!shapes.containsKey(number)) {
      kryo.getRegistration(types.type(number));
    }
    return shapes.get(number);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Registration registerImplicit(Class type) {
    int number = types.number(type);
    if (isClosed) {
      throw new StateRefusedException("the shape of its type %s is missing", type.getName());
    }
    Serializer<?> serializer;
    int[] shape = {};
    if (type.isEnum()) {
      serializer = new ConstantSerializer(types, type);
    } else if (type.isArray()) {
      serializer = new CountedSerializer<>(kryo.getDefaultSerializer(type), this);
      shape = new int[] {kind(type.getComponentType())};
    } else if (type.getName().startsWith("java.")) {
      serializer = new CountedSerializer<>(kryo.getDefaultSerializer(type), this);
    } else {
      FieldsSerializer fields = new FieldsSerializer(types, type);
      serializer = fields;
      shape = fields.shape(this::kind);
    }
    shapes.put(number, shape);
    return register(new Registration(type, serializer, number));
  }

  /** Returns the kind of a field or array element of a declared type. */
  private int kind(Class<?> declared) {
    if (declared.isPrimitive()) {
      return 1 + PRIMITIVES.indexOf(declared.descriptorString());
    }
    if (!isKnown(declared)) {
      return ANY;
    }
    Registration known = classToRegistration.get(declared);
    int number = known == null ? types.number(declared) : known.getId();
    return 1 + PRIMITIVES.length() + number;
  }

  /**
   * Returns true if a declared type is final: the class of its values is known, and is not written
   * with each of them.
   */
  static boolean isKnown(Class<?> declared) {
    Class<?> element = declared;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return Modifier.isFinal(element.getModifiers());
  }

  /** Returns the beginning of a shape as text for an error message. */
  String described(int[] shape) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at + 1 < shape.length && text.length() <= StateCodec.MAX_SHOWN) {
      int type = shape[at++];
      for (int fields = shape[at++]; fields > 0 && at + 1 < shape.length; fields--) {
        if (text.length() > StateCodec.MAX_SHOWN) {
          break;
        }
        String kind = describedKind(shape[at + 1]);
        text.append(text.isEmpty() ? "" : ", ")
            .append(types.memberName(type, shape[at]) + ": " + kind);
        at += 2;
      }
    }
    return "[" + (shape.length == 1 ? describedKind(shape[0]) : text) + "]";
  }

  private String describedKind(int kind) {
    if (kind == ANY) {
      return "object";
    }
    int number = kind - 1 - PRIMITIVES.length();
    if (number < 0) {
      return PRIMITIVES.substring(kind - 1, kind);
    }
    Registration known = idToRegistration.get(number);
    return known == null ? types.name(number) : known.getType().getName();
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Registration writeClass(Output output, Class type) {
    checkDepth(kryo);
    return super.writeClass(output, type);
  }

  @Override
  public Registration readClass(Input input) {
    checkDepth(kryo);
    boolean isKey = keyed != null && keyed.isKeyNext(kryo.getDepth());
    int id = input.readVarInt(true);
    if (id == Kryo.NULL) {
      return null;
    }
    int number = id - 2; // Kryo adds 2.
    Registration known = idToRegistration.get(number);
    Registration read = known == null ? kryo.getRegistration(types.type(number)) : known;
    if (!kryo.getReferenceResolver().useReferences(read.getType())) {
      ((StateInput) input).takeMemory(StateInput.OBJECT_BYTES);
    }
    if (isKey && !keys.computeIfAbsent(read.getType(), StateClassResolver::isKey)) {
      throw new StateRefusedException(
          "%s is a key of a map or an element of a set: to hash it could take for ever",
          read.getType().getName());
    }
    return read;
  }

  /**
   * A set or a map that is being read.
   *
   * <p>Keys that contain collections are refused. Hashing a set hashes all sets inside it; if each
   * set contains the next one twice, a few hundred bytes would take years to read.
   */
  private static final class Keyed {

    private final int depth;
    private final boolean isMap;
    private int next;

    /**
     * @param depth Kryo's nesting depth of the set or map; its keys are read at that depth or one
     *     below
     */
    Keyed(Class<?> type, int depth) {
      this.depth = depth;
      isMap = Map.class.isAssignableFrom(type);
      next = type == TreeMap.class ? -1 : 0; // A tree's comparator precedes its keys.
    }

    /**
     * Returns true if the next object is a key; in a map, keys and values alternate.
     *
     * @param at Kryo's nesting depth of the next object
     */
    boolean isKeyNext(int at) {
      return at <= depth + 1 && (!isMap || next++ % 2 == 0);
    }

    /** Returns true for sets, and for maps that hash or compare their keys. */
    static boolean is(Class<?> type) {
      return Set.class.isAssignableFrom(type)
          || (Map.class.isAssignableFrom(type) && type != IdentityHashMap.class);
    }
  }

  /** Returns true if objects of this type are hashed and compared without following references. */
  static boolean isKey(Class<?> type) {
    return type.isRecord()
        ? Stream.of(type.getRecordComponents())
            .map(RecordComponent::getType)
            .allMatch(each -> each.isPrimitive() || each == String.class)
        : !Collection.class.isAssignableFrom(type)
            && !Map.class.isAssignableFrom(type)
            && type != Optional.class;
  }

  /** Refuses a state whose objects are nested too deeply, as the stack would overflow. */
  static void checkDepth(Kryo kryo) {
    if (kryo.getDepth() > MAX_DEPTH) {
      throw new StateRefusedException(
          "more than %,d objects in it refer to each other in a row", MAX_DEPTH);
    }
  }

  /** Serializer that checks the number of elements before memory is allocated for them. */
  private static final class CountedSerializer<T> extends Serializer<T> {

    /** Bound on the size of a collection without elements, bytes. */
    private static final int COLLECTION_BYTES = 64;

    private final Serializer<T> serializer;
    private final StateClassResolver classes;

    CountedSerializer(Serializer<T> serializer, StateClassResolver classes) {
      super(serializer.getAcceptsNull(), serializer.isImmutable());
      this.serializer = serializer;
      this.classes = classes;
    }

    @Override
    public void write(Kryo kryo, Output output, T object) {
      serializer.write(kryo, output, object);
    }

    /**
     * Reads the number of elements, which comes first (in a collection, with a flag bit), checks
     * that number, and reads the object from the start.
     */
    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
      StateInput in = (StateInput) input;
      in.takeMemory(type.isArray() ? StateInput.OBJECT_BYTES : COLLECTION_BYTES);
      int start = in.position();
      if (serializer instanceof CollectionSerializer) {
        in.readVarIntFlag();
        in.take(in.readVarIntFlag(true), bytesOfElement(type));
      } else if (type.isArray() || Map.class.isAssignableFrom(type) || type == BitSet.class) {
        in.take(in.readVarInt(true), bytesOfElement(type));
      }
      in.setPosition(start);
      Keyed before = classes.keyed;
      classes.keyed = Keyed.is(type) ? new Keyed(type, kryo.getDepth()) : null;
      T object = serializer.read(kryo, input, type);
      classes.keyed = before;
      return object;
    }
  }

  /**
   * Returns the memory that one element takes, bytes. An entry of a set or map is an object of its
   * own; an element of a list is counted as one object, as a boxed number is.
   */
  private static int bytesOfElement(Class<?> type) {
    if (type.isArray()) {
      return bytes(type.getComponentType());
    }
    return Keyed.is(type) ? 2 * StateInput.OBJECT_BYTES : StateInput.OBJECT_BYTES;
  }

  /** Returns the memory that a field or array element of a declared type takes, bytes. */
  static int bytes(Class<?> declared) {
    return switch (declared.descriptorString()) {
      case "Z", "B" -> 1;
      case "C", "S" -> 2;
      case "J", "D" -> 8;
      default -> REFERENCE_BYTES;
    };
  }

  /** Serializer of an enum's constants by their numbers; 0 is null. */
  private static final class ConstantSerializer extends Serializer<Enum<?>> {

    private final Map<Integer, Enum<?>> constants = new TreeMap<>();
    private final StateTypes types;
    private final Class<?> type;

    ConstantSerializer(StateTypes types, Class<?> type) {
      super(true, true);
      this.types = types;
      this.type = type;
      for (Object each : type.getEnumConstants()) {
        Enum<?> constant = (Enum<?>) each;
        constants.put(types.member(type, constant.name()), constant);
      }
    }

    @Override
    public void write(Kryo kryo, Output output, Enum<?> constant) {
      output.writeVarInt(constant == null ? 0 : types.member(type, constant.name()), true);
    }

    @Override
    public Enum<?> read(Kryo kryo, Input input, Class<? extends Enum<?>> wanted) {
      int number = input.readVarInt(true);
      Enum<?> constant = constants.get(number);
      if (constant == null && number != 0) {
        throw new StateRefusedException(
            "it has constant %d of %s, which this version has not", number, type.getName());
      }
      return constant;
    }
  }
}
