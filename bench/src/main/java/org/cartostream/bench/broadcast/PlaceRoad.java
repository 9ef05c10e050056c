package org.cartostream.bench.broadcast;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.cartostream.collectives.broadcast.ProcessBroadcast;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.tcp.TcpChannel;
import org.cartostream.collectives.transport.tcp.TcpTransport;
import org.cartostream.topology.stream.PayloadSerializer;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.Streams;

/** The broadcast by place, as the topology's workers have it. */
final class PlaceRoad implements BroadcastProcess.MeasuredRoad, ProcessBroadcast.Listener {

  private final TcpTransport transport = TcpTransport.plain(1);
  private final PayloadSerializer packer = new PayloadSerializer();
  private final PayloadSerializer unpacker = new PayloadSerializer();
  private final ProcessBroadcast broadcast;
  private final BroadcastProcess.Arrivals arrivals;
  private final int tasks;
  private long serializations;

  PlaceRoad(
      int process,
      BroadcastCase all,
      List<InetSocketAddress> addresses,
      BroadcastProcess.Arrivals arrivals)
      throws IOException {
    this.arrivals = arrivals;
    this.tasks = all.tasksOf(process).size();
    InetSocketAddress own = addresses.get(process);
    MemberDirectory members = rank -> Optional.of(addresses.get(rank % BroadcastCase.PROCESSES));
    CollectiveSettings settings = CollectiveSettings.defaults();
    TcpChannel channel =
        new TcpChannel(
            transport,
            "bench",
            process,
            all.tasks(),
            new InetSocketAddress(own.getHostString(), own.getPort()),
            members,
            settings);
    broadcast =
        new ProcessBroadcast(
            channel, own, members, all.tasks(), 1, settings.maxPayloadBytes(), this);
  }

  @Override
  public void send(List<Object> values) {
    serializations++;
    broadcast.send(packer.packBroadcast(Stream.broadcast(Streams.KEY_FRAMES, values)));
  }

  @Override
  public long serializations() {
    return serializations;
  }

  @Override
  public void received(byte[] message) {
    arrivals.add(unpacker.broadcast(message), tasks);
  }

  @Override
  public void missed(String sentence) {
    throw new IllegalStateException(sentence);
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public void close() {
    broadcast.close();
    transport.close();
  }
}
