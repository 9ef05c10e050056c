package org.cartostream.collectives;

import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;

/** Another channel, of which a test changes what is sent. */
public abstract class ForwardingChannel implements GroupChannel {

  private final GroupChannel groupChannel;

  public ForwardingChannel(GroupChannel groupChannel) {
    this.groupChannel = groupChannel;
  }

  @Override
  public final int rank() {
    return groupChannel.rank();
  }

  @Override
  public final int size() {
    return groupChannel.size();
  }

  @Override
  public int partBytes() {
    return groupChannel.partBytes();
  }

  @Override
  public final int maxFrameBytes() {
    return groupChannel.maxFrameBytes();
  }

  @Override
  public int port() {
    return groupChannel.port();
  }

  @Override
  public final void open(Receiver receiver) {
    groupChannel.open(receiver);
  }

  @Override
  public void send(Frame frame, int... to) {
    groupChannel.send(frame, to);
  }

  @Override
  public final void close() {
    groupChannel.close();
  }
}
