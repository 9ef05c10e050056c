package org.cartostream.checkpoint;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import java.lang.reflect.Modifier;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * Has Kryo write the numbers of {@link StateTypes} in place of classes' names. Owns the shapes of
 * the types that were met in one state.
 *
 * <p>The shape of a type is how its bytes are laid out: of a class of ours, for itself and each
 * superclass that has fields, its number, how many fields it has, and for each field its number and
 * its kind; of an array, the kind of its elements. The JDK's classes and enums have none.
 */
final class StateClassResolver extends DefaultClassResolver {

  /**
   * Objects may refer to each other in so long a row. The longest of a filter, a path's nodes, has
   * 10,000; and {@link StateCodec}'s stack suffices for this.
   */
  private static final int MOST_DEPTH = 100_000;

  /** Kinds: any object with its type in front; a primitive type; or a type that is known. */
  private static final int ANY = 0;

  private static final String PRIMITIVES = "ZBCSIJFD";

  /** In a heap below 32 GB. */
  private static final int REFERENCE_BYTES = 4;

  private final StateTypes types;
  private final Map<Integer, int[]> shapes = new TreeMap<>();

  StateClassResolver(StateTypes types) {
    this.types = types;
  }

  /** Of the types that were met, by their numbers. */
  Map<Integer, int[]> shapes() {
    return shapes;
  }

  /** The shape of a type as it is in this program. */
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
    Serializer<?> serializer;
    int[] shape = {};
    if (type.isEnum()) {
      serializer = new ConstantSerializer(types, type);
    } else if (type.isArray()) {
      serializer = new CountedSerializer<>(kryo.getDefaultSerializer(type));
      shape = new int[] {kind(type.getComponentType())};
    } else if (type.getName().startsWith("java.")) {
      serializer = new CountedSerializer<>(kryo.getDefaultSerializer(type));
    } else {
      FieldsSerializer fields = new FieldsSerializer(types, type);
      serializer = fields;
      shape = fields.shape(this::kind);
    }
    shapes.put(number, shape);
    return register(new Registration(type, serializer, number));
  }

  /** How a value is written where a type is declared. */
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

  /** True if all values of a declared type are of that class, so that none is written with them. */
  static boolean isKnown(Class<?> declared) {
    Class<?> element = declared;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return Modifier.isFinal(element.getModifiers());
  }

  /** A shape for people. */
  String described(int[] shape) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at + 1 < shape.length) {
      int type = shape[at++];
      for (int fields = shape[at++]; fields > 0 && at + 1 < shape.length; fields--) {
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
    int id = input.readVarInt(true);
    if (id == Kryo.NULL) {
      return null;
    }
    int number = id - 2; // As Kryo writes it.
    Registration known = idToRegistration.get(number);
    return known == null ? kryo.getRegistration(types.type(number)) : known;
  }

  /** Each way into an object is by its class, or by the fields of a class that is known. */
  static void checkDepth(Kryo kryo) {
    if (kryo.getDepth() > MOST_DEPTH) {
      throw new StateRefusedException(
          "more than %,d objects in it refer to each other in a row", MOST_DEPTH);
    }
  }

  /** Checks how many elements there will be before memory is taken for them. */
  private static final class CountedSerializer<T> extends Serializer<T> {

    private final Serializer<T> serializer;

    CountedSerializer(Serializer<T> serializer) {
      super(serializer.getAcceptsNull(), serializer.isImmutable());
      this.serializer = serializer;
    }

    @Override
    public void write(Kryo kryo, Output output, T object) {
      serializer.write(kryo, output, object);
    }

    /** The number of elements comes first; of a collection with a bit for something else. */
    @Override
    public T read(Kryo kryo, Input input, Class<? extends T> type) {
      int start = input.position();
      if (serializer instanceof CollectionSerializer) {
        input.readVarIntFlag();
        ((StateInput) input).take(input.readVarIntFlag(true), REFERENCE_BYTES);
      } else if (type.isArray() || Map.class.isAssignableFrom(type) || type == BitSet.class) {
        ((StateInput) input).take(input.readVarInt(true), bytesOfElement(type));
      }
      input.setPosition(start);
      return serializer.read(kryo, input, type);
    }
  }

  private static int bytesOfElement(Class<?> type) {
    return switch (type.isArray() ? type.getComponentType().descriptorString() : "") {
      case "Z", "B" -> 1;
      case "C", "S" -> 2;
      case "J", "D" -> 8;
      default -> REFERENCE_BYTES;
    };
  }

  /** Writes an enum's constants by their numbers; 0 is null. */
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
