package org.cartostream.cli;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.Locale;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * The maps that a service sends to one robot, as they cross the broker: a queue of its own beside
 * the robot's. Owns their bytes, and what they would be if each were sent whole. Thread-safe.
 */
public final class MapTraffic {

  private final Codec codec = new Codec(BrokerSettings.defaults().maxMessageBytes());
  private OccupancyGrid grid;
  private long maps;
  private long bytes;
  private long bytesIfWhole;
  private boolean over;

  private MapTraffic() {}

  /** Listens from now on, as long as the connection is open. */
  public static MapTraffic listen(Connection connection, String robot) throws IOException {
    MapTraffic traffic = new MapTraffic();
    Channel channel = connection.createChannel();
    channel.exchangeDeclare(BrokerNames.ANSWERS, "topic", true);
    String queue = channel.queueDeclare().getQueue();
    channel.queueBind(queue, BrokerNames.ANSWERS, BrokerNames.Answer.MAP.keyTo(robot));
    channel.queueBind(queue, BrokerNames.ANSWERS, BrokerNames.Answer.LASTMAP.keyTo(robot));
    channel.basicConsume(
        queue, true, (tag, delivery) -> traffic.take(delivery.getBody()), tag -> {});
    return traffic;
  }

  private synchronized void take(byte[] body) {
    Envelope envelope = codec.decode(body);
    MapMessage map = (MapMessage) envelope.body();
    grid = map.isWhole() ? map.grid() : map.applyTo(grid);
    maps++;
    bytes += body.length;
    bytesIfWhole += codec.encode(whole(envelope, map)).length;
    over |= map.last();
  }

  private Envelope whole(Envelope envelope, MapMessage map) {
    return new Envelope(
        envelope.robot(),
        envelope.run(),
        envelope.sequence(),
        envelope.stampNanos(),
        map.last() ? MapMessage.ofEnd(grid) : MapMessage.of(grid, map.correction()));
  }

  public synchronized boolean isOver() {
    return over;
  }

  public synchronized long maps() {
    return maps;
  }

  public synchronized long bytes() {
    return bytes;
  }

  public synchronized long bytesIfWhole() {
    return bytesIfWhole;
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT,
        "%d maps: %d bytes, %d if each were whole: %.1f %%",
        maps,
        bytes,
        bytesIfWhole,
        100.0 * bytes / bytesIfWhole);
  }
}
