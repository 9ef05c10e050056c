package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.io.Output;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Objects;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.MustUnderstand;

/**
 * Encoding of a record type. Each component of a record is a field, a tag and a value. The tag is
 * the component's position from 1, times 8, plus {@link #CRITICAL} if the component is marked
 * {@link MustUnderstand}, plus the {@link ValueFormat#form}. Fields stand in the order of the
 * components, each at most once.
 *
 * <p>A new field comes behind the others; an existing field keeps its position and its type. A
 * reader skips a field that it does not know, or refuses the record if the field is critical. A
 * missing number is 0, a missing flag false, a missing text or list empty, a missing record one
 * whose fields are all missing. Where there is no such value, as for an enum, a sealed interface,
 * or a record whose constructor refuses it, a missing field is null. A field with that value is not
 * written, so an unused field costs nothing.
 */
final class RecordFormat {

  /** Bit of a tag by which a reader that does not know the field refuses the message. */
  static final int CRITICAL = 4;

  private static final int NUMBER_SHIFT = 3;
  private static final int FORM_BITS = 3;

  private record Field(int tag, MethodHandle getter, ValueFormat value) {}

  private final Class<?> type;
  private final Field[] fields;
  private final MethodHandle constructor;

  /** Values of the fields of a record in which all are absent. */
  private final Object[] nothing;

  RecordFormat(Class<?> type) {
    this.type = type;
    RecordComponent[] components = type.getRecordComponents();
    fields = new Field[components.length];
    nothing = new Object[components.length];
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    try {
      for (int i = 0; i < components.length; i++) {
        ValueFormat value = ValueFormat.of(components[i].getGenericType());
        int critical = components[i].isAnnotationPresent(MustUnderstand.class) ? CRITICAL : 0;
        Method getter = components[i].getAccessor();
        getter.setAccessible(true);
        fields[i] =
            new Field(
                i + 1 << NUMBER_SHIFT | critical | value.form(),
                lookup.unreflect(getter).asType(MethodType.genericMethodType(1)),
                value);
        nothing[i] = value.absent();
      }
      Constructor<?> canonical =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      canonical.setAccessible(true);
      constructor =
          lookup
              .unreflectConstructor(canonical)
              .asSpreader(Object[].class, components.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("each record has its canonical constructor and getters", e);
    }
  }

  /** Returns the encoding of a field whose value is such a record. */
  ValueFormat asValue() {
    return new ValueFormat(ValueFormat.SIZED, absent(), this::write, this::read);
  }

  private Object absent() {
    try {
      return make(nothing);
    } catch (RefusedMessageException | IllegalArgumentException | NullPointerException none) {
      return null;
    }
  }

  void write(Output out, Object object) {
    for (Field field : fields) {
      Object value = get(field, object);
      if (!Objects.equals(value, field.value.absent())) {
        out.writeVarInt(field.tag, true);
        field.value.write(out, value);
      }
    }
  }

  /** Reads a record from all bytes that are left. */
  Object read(FrameInput in) {
    return read(in, false);
  }

  /**
   * Reads a record whose fields are the first ones of another, of which the rest may be missing.
   */
  Object readBeginning(FrameInput in) {
    return read(in, true);
  }

  private Object read(FrameInput in, boolean isBeginning) {
    Object[] values = nothing.clone();
    int latest = 0;
    while (in.left() > 0) {
      int tag = in.readVarInt(true);
      int number = tag >>> NUMBER_SHIFT;
      if (number <= latest) {
        throw BrokerRefusal.GARBAGE.exception(
            "field " + number + " of " + this + " behind field " + latest);
      }
      latest = number;
      if (number <= fields.length) {
        values[number - 1] = read(in, fields[number - 1], tag);
      } else if (isBeginning) {
        break;
      } else if ((tag & CRITICAL) == 0) {
        ValueFormat.skip(in, tag & FORM_BITS);
      } else {
        throw BrokerRefusal.OTHER_VERSION.exception(
            "field " + number + " of " + this + ", where " + fields.length + " are known");
      }
    }
    return make(values);
  }

  /**
   * Reads a field. Its tag must be the expected one, but for the critical bit, which does not
   * matter for a known field.
   */
  private Object read(FrameInput in, Field field, int tag) {
    if ((tag | CRITICAL) != (field.tag | CRITICAL)) {
      throw BrokerRefusal.GARBAGE.exception(
          "tag " + tag + " in " + this + ", where " + field.tag + " is known");
    }
    return field.value.read(in);
  }

  private static Object get(Field field, Object object) {
    try {
      return field.getter.invokeExact(object);
    } catch (Throwable e) {
      throw new IllegalStateException("a record's getter failed", e);
    }
  }

  private Object make(Object[] values) {
    try {
      return constructor.invokeExact(values);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a record's constructor failed", e);
    }
  }

  @Override
  public String toString() {
    return type.getSimpleName();
  }
}
