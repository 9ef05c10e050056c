package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.cartostream.broker.Examples.SOON;

import java.util.List;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class OutboxTest {

  private static Outbox.OutboundMessage message(boolean certain, int bytes) {
    return new Outbox.OutboundMessage(new BrokerNames.Route("x", "k", certain), new byte[bytes]);
  }

  private final Outbox.OutboundMessage first = message(true, 10);
  private final Outbox.OutboundMessage second = message(true, 10);
  private final Outbox.OutboundMessage pose = message(false, 10);

  @Test
  void isFullUntilWhatLeftIsConfirmed() throws Exception {
    Outbox outbox = new Outbox(2, 1000);
    assertThat(outbox.offer(List.of(first))).isTrue();
    assertThat(outbox.offer(List.of(second))).isTrue();
    assertThat(outbox.next(1, false)).isSameAs(first);
    assertThat(outbox.offer(List.of(message(true, 10)))).isFalse();
    outbox.confirmed(List.of(first));
    assertThat(outbox.offer(List.of(message(true, 10)))).isTrue();
  }

  @Test
  void countsBytesToo() {
    Outbox outbox = new Outbox(100, 25);
    assertThat(outbox.offer(List.of(first))).isTrue();
    assertThat(outbox.offer(List.of(second))).isTrue();
    assertThat(outbox.offer(List.of(message(true, 10)))).isFalse();
  }

  @Test
  void takesOneLetterOfAnySizeWhenItIsEmpty() {
    assertThat(new Outbox(100, 25).offer(List.of(message(true, 1000)))).isTrue();
  }

  @Test
  void keepsHalfOfItsRoomForWhatMustArrive() {
    Outbox outbox = new Outbox(4, 1000);
    assertThat(outbox.offer(List.of(pose))).isTrue();
    assertThat(outbox.offer(List.of(pose))).isTrue();
    assertThat(outbox.offer(List.of(pose))).isFalse();
    assertThat(outbox.offer(List.of(first))).isTrue();
  }

  @Test
  void givesOneLetterAtATimeIfItIsToGoAlone() throws Exception {
    Outbox outbox = new Outbox(10, 1000);
    outbox.offer(List.of(first));
    outbox.offer(List.of(second));
    assertThat(outbox.next(1, true)).isSameAs(first);
    assertThat(outbox.next(1, true)).isNull();
    outbox.confirmed(List.of(first));
    assertThat(outbox.next(1, true)).isSameAs(second);
  }

  @Test
  void sendsAgainInTheOldOrderBeforeWhatIsNew() throws Exception {
    Outbox outbox = new Outbox(10, 1000);
    outbox.offer(List.of(first));
    outbox.offer(List.of(second));
    outbox.next(1, false);
    outbox.next(1, false);
    Outbox.OutboundMessage third = message(true, 10);
    outbox.offer(List.of(third));
    outbox.putBack(List.of(first, second));
    assertThat(outbox.next(1, false)).isSameAs(first);
    assertThat(outbox.next(1, false)).isSameAs(second);
    assertThat(outbox.next(1, false)).isSameAs(third);
    assertThat(outbox.next(1, false)).isNull();
  }

  @Test
  void restsBeforeItSendsAgainWhatAFullQueueRejected() throws Exception {
    Outbox resting = new Outbox(10, 1000, SOON.toNanos());
    resting.rejected(List.of(first));
    assertThat(resting.next(1, false)).isNull();
    Outbox paused = new Outbox(10, 1000);
    paused.rejected(List.of(first));
    await().atMost(SOON).until(() -> paused.next(1, false) == first);
  }

  /** A broker rejects them singly; what is in pieces would come in another order each time. */
  @Test
  void keepsTheOrderOfWhatAFullQueueRejectedOneByOne() throws Exception {
    Outbox outbox = new Outbox(10, 1000, 0);
    Outbox.OutboundMessage third = message(true, 10);
    outbox.offer(List.of(first, second, third));
    outbox.next(1, false);
    outbox.next(1, false);
    outbox.rejected(List.of(first));
    outbox.rejected(List.of(second));
    assertThat(outbox.next(1, false)).isSameAs(first);
    assertThat(outbox.next(1, false)).isSameAs(second);
    assertThat(outbox.next(1, false)).isSameAs(third);
  }

  /** Its robot takes nothing, and the others' answers must not wait for it. */
  @Test
  void dropsAnAnswerThatAFullQueueRejectedAndRestsNot() throws Exception {
    Outbox outbox = new Outbox(2, 1000, SOON.toNanos());
    Outbox.OutboundMessage deaf =
        new Outbox.OutboundMessage(
            new BrokerNames.Route(BrokerNames.ANSWERS, "deaf.outcome", true), new byte[10]);
    outbox.offer(List.of(deaf));
    Outbox.OutboundMessage later = message(true, 10);
    outbox.offer(List.of(later));
    outbox.next(1, false);
    outbox.rejected(List.of(deaf));
    assertThat(outbox.next(1, false)).isSameAs(later);
    assertThat(outbox.unconfirmed()).isOne();
  }

  @Test
  void forgetsPosesOfBeforeAnOutage() throws Exception {
    Outbox outbox = new Outbox(10, 1000);
    outbox.offer(List.of(pose));
    outbox.offer(List.of(first));
    outbox.dropReplaceable();
    assertThat(outbox.next(1, false)).isSameAs(first);
    outbox.confirmed(List.of(first));
    assertThat(outbox.awaitEmpty(1)).isTrue();
  }
}
