package org.cartostream.collectives.transport.rabbitmq;

import java.io.IOException;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.collectives.transport.Seat;

/** Transport {@code rabbitmq}: through the broker of the seat's {@link RabbitMqAccess}. */
public final class RabbitMqGroupTransport implements GroupTransport {

  @Override
  public String name() {
    return "rabbitmq";
  }

  @Override
  public boolean crossesProcesses() {
    return true;
  }

  @Override
  public GroupChannel channel(Seat seat) throws IOException {
    RabbitMqAccess access =
        seat.access(RabbitMqAccess.class)
            .orElseThrow(() -> new IOException("transport 'rabbitmq' was given no broker"));
    return new RabbitMqChannel(access, seat.group(), seat.rank(), seat.size(), seat.settings());
  }

  @Override
  public void close() {
    // The channel owns its connection.
  }
}
