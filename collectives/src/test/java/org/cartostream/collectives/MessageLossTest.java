package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** A member whose channel breaks loses all others at once. */
@Quick
class MessageLossTest {

  /** Leads nowhere. */
  private static final class Nowhere implements GroupChannel {

    private Receiver receiver;

    @Override
    public int rank() {
      return 0;
    }

    @Override
    public int size() {
      return 3;
    }

    @Override
    public int partBytes() {
      return CollectiveSettings.defaults().partBytes();
    }

    @Override
    public int maxFrameBytes() {
      return CollectiveSettings.defaults().maxFrameBytes();
    }

    @Override
    public void open(Receiver itsReceiver) {
      receiver = itsReceiver;
    }

    @Override
    public void send(Frame frame, int... to) {}

    @Override
    public void close() {}
  }

  private static final OperationKey NEXT_EPOCH = new OperationKey(Group.ROBOT, 2, 1);

  /** Who hears that it has failed begins again at once, while the loss is still being told. */
  @Test
  void whatBeginsAsSoonAsOneIsLostDoesNotFailByTheNext() {
    Nowhere channel = new Nowhere();
    try (Communicator member = Communicator.open(channel, CollectiveSettings.defaults())) {
      AtomicReference<CollectiveFuture<Void>> again = new AtomicReference<>();
      CollectiveFuture<Void> collectiveFuture = member.barrier(Group.round(1));
      collectiveFuture.whenComplete((nothing, failure) -> again.set(member.barrier(NEXT_EPOCH)));

      channel.receiver.lost(List.of(1, 2), "the wire is cut");

      assertThat(Group.failure(collectiveFuture).reason()).isEqualTo(Reason.LOST);
      assertThat(again.get()).isNotDone();
    }
  }
}
