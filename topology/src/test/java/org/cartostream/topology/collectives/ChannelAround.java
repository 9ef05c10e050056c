package org.cartostream.topology.collectives;

/** Another channel, of which a test changes what is sent. */
abstract class ChannelAround implements Channel {

  private final Channel channel;

  ChannelAround(Channel channel) {
    this.channel = channel;
  }

  @Override
  public final int rank() {
    return channel.rank();
  }

  @Override
  public final int size() {
    return channel.size();
  }

  @Override
  public int partBytes() {
    return channel.partBytes();
  }

  @Override
  public final void open(Receiver receiver) {
    channel.open(receiver);
  }

  @Override
  public void send(Frame frame, int... to) {
    channel.send(frame, to);
  }

  @Override
  public final void close() {
    channel.close();
  }
}
