package org.cartostream.broker;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * An envelope in bytes, and the number under which each kind of message is registered with Kryo. A
 * change here, in {@link Bodies} or in {@link Fields} is a new {@link Codec#VERSION}.
 */
final class Wire {

  /** Kryo keeps the numbers below 16 for primitives; ours are fixed, never reused. */
  private static final int FIRST_NUMBER = 16;

  private Wire() {}

  /** An instance that knows our messages and nothing else. */
  static Kryo kryo() {
    Kryo kryo = new Kryo();
    kryo.setRegistrationRequired(true);
    kryo.setReferences(false);
    register(kryo, 0, ReadingMessage.class, Bodies::writeReading, Bodies::readReading);
    register(kryo, 1, EndMessage.class, Bodies::writeEnd, Bodies::readEnd);
    register(kryo, 2, OutcomeMessage.class, Bodies::writeOutcome, Bodies::readOutcome);
    register(kryo, 3, PoseMessage.class, Bodies::writePose, Bodies::readPose);
    register(kryo, 4, MapMessage.class, Bodies::writeMap, Bodies::readMap);
    register(kryo, 5, TrajectoryMessage.class, Bodies::writeTrajectory, Bodies::readTrajectory);
    register(kryo, 6, FinishedMessage.class, Bodies::writeFinished, Bodies::readFinished);
    return kryo;
  }

  private static <T extends Message> void register(
      Kryo kryo, int number, Class<T> type, BiConsumer<Output, T> write, Function<Input, T> read) {
    Serializer<T> serializer =
        new Serializer<>(false, true) {
          @Override
          public void write(Kryo unused, Output out, T message) {
            write.accept(out, message);
          }

          @Override
          public T read(Kryo unused, Input in, Class<? extends T> alsoUnused) {
            return read.apply(in);
          }
        };
    kryo.register(new Registration(type, serializer, FIRST_NUMBER + number));
  }

  static void writeEnvelope(Kryo kryo, Output out, Envelope envelope) {
    Fields.writeText(out, envelope.robot());
    out.writeLong(envelope.run());
    out.writeLong(envelope.sequence());
    out.writeLong(envelope.stampNanos());
    Registration registration = kryo.getRegistration(envelope.body().getClass());
    out.writeInt(registration.getId());
    kryo.writeObject(out, envelope.body(), registration.getSerializer());
  }

  static Envelope readEnvelope(Kryo kryo, Input in) {
    String robot = RobotId.check(Fields.readText(in));
    long run = in.readLong();
    long sequence = in.readLong();
    long stampNanos = in.readLong();
    int number = in.readInt();
    Registration registration = kryo.getRegistration(number);
    if (registration == null || !Message.class.isAssignableFrom(registration.getType())) {
      throw BrokerRefusal.UNKNOWN_TYPE.exception("kind " + number);
    }
    Object body = kryo.readObject(in, registration.getType(), registration.getSerializer());
    return new Envelope(robot, run, sequence, stampNanos, (Message) body);
  }
}
