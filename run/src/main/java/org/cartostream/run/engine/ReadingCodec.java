package org.cartostream.run.engine;

import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.sensor.Reading;

/**
 * A robot's readings as they cross the broker. An engine without one lets them pass through here,
 * so that it sees to the last bit what the tasks of a topology see.
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
