package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class FrameFragmentationTest {

  private static final int MAX = 1 << 20;
  private static final int MAX_INCOMPLETE = 5;
  private static final long SEED = 54;

  private final Random random = new Random(SEED);
  private final AtomicLong nanos = new AtomicLong();
  private final FrameFragmentation pieces =
      new FrameFragmentation(MAX, MAX_INCOMPLETE * MAX, nanos::get);
  private final List<Integer> pendingAcks = new ArrayList<>();
  private int taken;

  private byte[] frame(int bytes) {
    byte[] frame = new byte[bytes];
    random.nextBytes(frame);
    frame[0] = 0; // Not as a piece begins.
    return frame;
  }

  /** Takes a piece or a frame; receipts are those that were given, by the number of this call. */
  private Optional<byte[]> take(String sender, byte[] message) {
    return take(pieces, sender, message);
  }

  private Optional<byte[]> take(FrameFragmentation by, String sender, byte[] message) {
    int call = taken++;
    if (!FrameFragmentation.isPiece(message)) {
      return Optional.of(message);
    }
    Optional<FrameFragmentation.Reassembled> whole =
        by.take(sender, message, any -> true, () -> () -> pendingAcks.add(call));
    whole.ifPresent(each -> each.pendingAcks().run());
    return whole.map(FrameFragmentation.Reassembled::frame);
  }

  @Test
  void aFrameOfAnySizeIsPutTogetherWhateverTheOrder() {
    System.out.println("seed " + SEED);
    for (int i = 0; i < 60; i++) {
      byte[] frame = frame(1 + random.nextInt(i < 20 ? 70_000 : MAX));
      List<byte[]> all = new ArrayList<>(FrameFragmentation.of(frame));
      assertThat(all).allMatch(each -> each.length <= FrameFragmentation.PIECE_BYTES);
      Collections.shuffle(all, random);
      all.add(random.nextInt(all.size()), all.get(0)); // Twice.
      Optional<byte[]> whole = Optional.empty();
      for (byte[] each : all) {
        whole = whole.or(() -> take("r1", each));
      }
      assertThat(whole).get().isEqualTo(frame);
    }
  }

  @Test
  void framesAndSendersDoNotMix() {
    List<byte[]> frames = List.of(frame(200_000), frame(200_000), frame(300_000));
    List<byte[]> first = FrameFragmentation.of(frames.get(0));
    List<byte[]> second = FrameFragmentation.of(frames.get(1));
    List<byte[]> ofOther = FrameFragmentation.of(frames.get(2));
    for (int i : new int[] {1, 3, 0}) {
      assertThat(take("r1", first.get(i))).isEmpty();
      assertThat(take("r1", second.get(3 - i))).isEmpty();
      assertThat(take("r2", ofOther.get(i))).isEmpty();
    }
    assertThat(take("r1", second.get(1))).get().isEqualTo(frames.get(1));
    assertThat(take("r2", ofOther.get(2))).isEmpty();
    assertThat(take("r1", first.get(2))).get().isEqualTo(frames.get(0));
    assertThat(take("r2", ofOther.get(4))).get().isEqualTo(frames.get(2));
  }

  @Test
  void aLargeFrameStaysWhenItsSendersNextBeginsBeforeItIsWhole() {
    byte[] frame = frame(MAX);
    List<byte[]> large = FrameFragmentation.of(frame);
    large.subList(1, large.size()).forEach(each -> take("r1", each));
    assertThat(take("r1", FrameFragmentation.of(frame(MAX / 2)).get(0))).isEmpty();
    assertThat(take("r1", large.get(0))).get().isEqualTo(frame);
  }

  @Test
  void receiptsOfAllPiecesWaitUntilTheirFrameIsWhole() {
    List<byte[]> all = FrameFragmentation.of(frame(200_000));
    take("r1", all.get(0));
    take("r1", all.get(2));
    take("r1", all.get(1));
    assertThat(pendingAcks).isEmpty();
    take("r1", all.get(3)); // Its own is the frame's.
    assertThat(pendingAcks).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void whatComesLateOfAWholeFrameBeginsNoOtherUntilAnOutage() {
    List<byte[]> all = FrameFragmentation.of(frame(200_000));
    all.forEach(each -> take("r1", each));
    pendingAcks.clear();
    assertThat(take("r1", all.get(0))).isEmpty();
    assertThat(pendingAcks).hasSize(1);
    pieces.expectAgain();
    pendingAcks.clear();
    for (byte[] each : all.subList(0, 3)) {
      assertThat(take("r1", each)).isEmpty();
    }
    assertThat(pendingAcks).isEmpty();
    assertThat(take("r1", all.get(3))).isPresent();
  }

  @Test
  void whatIsNotAcceptedIsNotPutTogether() {
    List<byte[]> all = FrameFragmentation.of(frame(300_000));
    List<Integer> asked = new ArrayList<>();
    for (byte[] each : all) {
      assertThat(
              pieces.take("r1", each, bytes -> !asked.add(bytes), () -> () -> pendingAcks.add(0)))
          .isEmpty();
    }
    assertThat(asked).containsExactly(300_000);
    assertThat(pendingAcks).hasSameSizeAs(all);
  }

  @Test
  void whatIsIncompleteIsBoundedInBytesAndWhoFindsNoRoomSpendsNothing() {
    for (int i = 0; i < MAX_INCOMPLETE; i++) {
      assertThat(take("r" + i, FrameFragmentation.of(frame(MAX)).get(0))).isEmpty();
    }
    List<byte[]> another = FrameFragmentation.of(frame(MAX));
    assertThatThrownBy(
            () ->
                pieces.take(
                    "another",
                    another.get(0),
                    any -> {
                      throw new AssertionError("asked");
                    },
                    () -> null))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("too many others");
    assertThat(take("another", another.get(1))).isEmpty();
    byte[] frame = frame(MAX);
    Optional<byte[]> whole = Optional.empty();
    for (byte[] each : FrameFragmentation.of(frame)) {
      whole = take("r0", each); // In its own place.
    }
    assertThat(whole).get().isEqualTo(frame);
  }

  /** One piece again and again is no progress. */
  @Test
  void whatGetsNothingNewMakesRoom() {
    List<byte[]> idle = FrameFragmentation.of(frame(MAX));
    List<byte[]> slow = FrameFragmentation.of(frame(MAX));
    take("idle", idle.get(0));
    take("slow", slow.get(0));
    for (int i = 2; i < MAX_INCOMPLETE; i++) {
      take("r" + i, FrameFragmentation.of(frame(MAX)).get(0));
    }
    nanos.addAndGet(FrameFragmentation.PATIENCE_NANOS / 2 + 1);
    take("idle", idle.get(0));
    take("slow", slow.get(1));
    nanos.addAndGet(FrameFragmentation.PATIENCE_NANOS / 2 + 1);
    pendingAcks.clear();
    assertThat(take("another", FrameFragmentation.of(frame(MAX)).get(0))).isEmpty();
    assertThat(pendingAcks).as("of what was given up").isNotEmpty();
    for (byte[] each : slow.subList(2, slow.size() - 1)) {
      assertThat(take("slow", each)).isEmpty();
    }
    assertThat(take("slow", slow.get(slow.size() - 1))).isPresent();
  }

  @Test
  void aSenderWithMoreThanAQuarterGivesWayAndKeepsNobodyOut() {
    FrameFragmentation small = new FrameFragmentation(MAX, MAX, nanos::get); // One frame takes all.
    take(small, "greedy", FrameFragmentation.of(frame(MAX)).get(0));
    byte[] frame = frame(200_000);
    Optional<byte[]> whole = Optional.empty();
    for (byte[] each : FrameFragmentation.of(frame)) {
      whole = take(small, "r1", each);
    }
    assertThat(whole).get().isEqualTo(frame);
    for (int i = 0; i < 100; i++) { // Its own give way to each other.
      take(small, "greedy", FrameFragmentation.of(frame(MAX / 4)).get(0));
    }
    assertThat(take(small, "r1", FrameFragmentation.of(frame(MAX / 4)).get(0))).isEmpty();
  }

  @Test
  void piecesThatMakeNoSenseAreRefused() {
    byte[] piece = FrameFragmentation.of(frame(200_000)).get(0);
    for (int i = 12; i < 20; i++) { // Its number, and the size of its frame.
      for (int bit = 0; bit < 8; bit++) {
        byte[] wrong = piece.clone();
        wrong[i] ^= (byte) (1 << bit);
        try {
          assertThat(take("r1", wrong)).isEmpty();
        } catch (RefusedMessageException e) {
          // As it should be.
        }
      }
    }
    assertThatThrownBy(() -> take("r1", Arrays.copyOf(piece, 100)))
        .isInstanceOf(RefusedMessageException.class);
    assertThatThrownBy(() -> take("r1", FrameFragmentation.of(frame(MAX + 1)).get(0)))
        .isInstanceOf(RefusedMessageException.class);
  }
}
