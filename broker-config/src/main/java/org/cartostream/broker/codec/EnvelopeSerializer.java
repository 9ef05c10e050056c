package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.GoneMessage;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.MissingMessage;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.broker.message.WorkerMessage;

/**
 * Writes and reads envelopes with Kryo, and registers each kind of message under its number. A
 * change here, in {@link MessageSerializers} or in {@link FieldCodec} is a new {@link
 * Codec#VERSION}.
 */
final class EnvelopeSerializer {

  /** Kryo keeps the numbers below 16 for primitives; ours are fixed, never reused. */
  private static final int FIRST_NUMBER = 16;

  private EnvelopeSerializer() {}

  /** An instance that knows our messages and nothing else. */
  static Kryo kryo() {
    Kryo kryo = new Kryo();
    kryo.setRegistrationRequired(true);
    kryo.setReferences(false);
    register(
        kryo,
        0,
        ReadingMessage.class,
        MessageSerializers::writeReading,
        MessageSerializers::readReading);
    register(kryo, 1, EndMessage.class, MessageSerializers::writeEnd, MessageSerializers::readEnd);
    register(
        kryo,
        2,
        OutcomeMessage.class,
        MessageSerializers::writeOutcome,
        MessageSerializers::readOutcome);
    register(
        kryo, 3, PoseMessage.class, MessageSerializers::writePose, MessageSerializers::readPose);
    register(kryo, 4, MapMessage.class, MessageSerializers::writeMap, MessageSerializers::readMap);
    register(
        kryo,
        5,
        TrajectoryMessage.class,
        MessageSerializers::writeTrajectory,
        MessageSerializers::readTrajectory);
    register(
        kryo,
        6,
        FinishedMessage.class,
        MessageSerializers::writeFinished,
        MessageSerializers::readFinished);
    register(
        kryo,
        7,
        MissingMessage.class,
        MessageSerializers::writeMissing,
        MessageSerializers::readMissing);
    register(
        kryo, 8, GoneMessage.class, MessageSerializers::writeGone, MessageSerializers::readGone);
    register(
        kryo,
        9,
        ParticlesMessage.class,
        LocalisationSerializers::writeParticles,
        LocalisationSerializers::readParticles);
    register(
        kryo,
        10,
        WorkerMessage.class,
        WorkerSerializers::writeWorker,
        WorkerSerializers::readWorker);
    register(
        kryo,
        11,
        LoopsMessage.class,
        MessageSerializers::writeLoops,
        MessageSerializers::readLoops);
    register(
        kryo,
        12,
        MapMessage.ForObservers.class,
        (out, message) -> MessageSerializers.writeMap(out, message.map()),
        in -> new MapMessage.ForObservers(MessageSerializers.readMap(in)));
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
    FieldCodec.writeText(out, envelope.robot());
    out.writeLong(envelope.run());
    out.writeLong(envelope.sequence());
    out.writeLong(envelope.stampNanos());
    Registration registration = kryo.getRegistration(envelope.body().getClass());
    out.writeInt(registration.getId());
    kryo.writeObject(out, envelope.body(), registration.getSerializer());
  }

  static Envelope readEnvelope(Kryo kryo, Input in) {
    String robot = RobotId.check(FieldCodec.readText(in));
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
