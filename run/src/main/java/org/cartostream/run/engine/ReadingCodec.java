package org.cartostream.run.engine;

import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.sensor.Reading;

/**
 * Codec of a robot's readings as messages of the broker. An engine without a broker encodes and
 * decodes each reading, so that its readings are equal to the last bit to those of a topology's
 * tasks.
 */
final class ReadingCodec {

  private static final long ONLY_RUN = 1;

  private final Codec codec;
  private final String robot;

  ReadingCodec(BrokerSettings settings, String robot) {
    this.codec = new Codec(settings.maxMessageBytes());
    this.robot = robot;
  }

  byte[] encode(long sequence, Reading reading) {
    ReadingMessage message = new ReadingMessage(reading);
    return codec.encode(new Envelope(robot, ONLY_RUN, sequence, reading.stampNanos(), message));
  }

  Reading decode(byte[] message) {
    return ((ReadingMessage) codec.decode(message).body()).reading();
  }
}
