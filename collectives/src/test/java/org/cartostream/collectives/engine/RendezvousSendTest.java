package org.cartostream.collectives.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.Slice;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What is offered is handed out once, and no more than was offered. */
@Quick
class RendezvousSendTest {

  @Test
  void partsAreFetchedOnlyAsOffered() {
    RendezvousSend rendezvousSend = new RendezvousSend();
    Frame part =
        new Frame(
            Frame.Kind.PART,
            Group.round(1),
            0,
            Operation.ALL_TO_ALL,
            0,
            Algorithm.FLAT,
            0,
            0,
            100,
            List.of(Slice.of(new byte[100])));
    RendezvousReceive rendezvousReceive =
        new RendezvousReceive(rendezvousSend.offer(part, 1), 60, 1000);
    Frame first = rendezvousReceive.next(1);
    assertThat(rendezvousSend.serve(first.as(first.kind(), List.of()), 0).bytes()).isEqualTo(60);
    assertThat(rendezvousSend.serve(first, 0)).as("more than is left").isNull();
    Frame second = rendezvousReceive.next(1);
    assertThat(rendezvousReceive.next(1)).isNull();
    BitSet unfetched = rendezvousSend.unfetched();
    assertThat(unfetched.stream()).containsExactly(1);
    assertThat(rendezvousSend.serve(second, 0).offset()).isEqualTo(60);
    assertThat(rendezvousSend.isEmpty()).isTrue();
    assertThat(rendezvousSend.serve(second, 0)).isNull();
  }
}
