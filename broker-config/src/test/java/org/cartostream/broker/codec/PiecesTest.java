package org.cartostream.broker.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class PiecesTest {

  private static final int MOST = 1 << 20;
  private static final int MOST_INCOMPLETE = 5;
  private static final long SEED = 54;

  private final Random random = new Random(SEED);
  private final Pieces pieces = new Pieces(MOST, MOST_INCOMPLETE * MOST);

  private byte[] frame(int bytes) {
    byte[] frame = new byte[bytes];
    random.nextBytes(frame);
    frame[0] = 0; // Not as a piece begins.
    return frame;
  }

  private Optional<byte[]> take(String sender, byte[] message) {
    return pieces.take(sender, message, any -> true);
  }

  @Test
  void aFrameOfAnySizeIsPutTogetherWhateverTheOrderAfterItsFirstPiece() {
    System.out.println("seed " + SEED);
    for (int i = 0; i < 60; i++) {
      byte[] frame = frame(1 + random.nextInt(i < 20 ? 70_000 : MOST));
      List<byte[]> all = new ArrayList<>(Pieces.of(frame));
      assertThat(all).allMatch(each -> each.length <= Pieces.PIECE_BYTES);
      Collections.shuffle(all.subList(1, all.size()), random);
      all.add(random.nextInt(all.size()) + (all.size() > 1 ? 1 : 0), all.get(0)); // Twice.
      Optional<byte[]> whole = Optional.empty();
      for (byte[] each : all) {
        whole = whole.or(() -> take("r1", each));
      }
      assertThat(whole).get().isEqualTo(frame);
    }
  }

  @Test
  void sendersDoNotMixAndANewFrameTakesTheOldOnesPlace() {
    byte[] first = frame(200_000);
    byte[] second = frame(200_000);
    List<byte[]> ofFirst = Pieces.of(first);
    List<byte[]> ofSecond = Pieces.of(second);
    for (int i = 0; i < 3; i++) {
      assertThat(take("r1", ofFirst.get(i))).isEmpty();
      assertThat(take("r2", ofSecond.get(i))).isEmpty();
    }
    assertThat(take("r1", ofSecond.get(0))).as("another of r1").isEmpty();
    assertThat(take("r1", ofFirst.get(3))).as("too late").isEmpty();
    assertThat(take("r2", ofSecond.get(3))).get().isEqualTo(second);
  }

  @Test
  void whatIsNotAcceptedIsNotPutTogether() {
    List<byte[]> all = Pieces.of(frame(300_000));
    List<Integer> asked = new ArrayList<>();
    for (byte[] each : all) {
      assertThat(pieces.take("r1", each, bytes -> !asked.add(bytes))).isEmpty();
    }
    assertThat(asked).containsExactly(300_000);
  }

  /** Of each sender one may be incomplete, and of all together so many bytes. */
  @Test
  void whatIsIncompleteIsBoundedInBytes() {
    for (int i = 0; i < MOST_INCOMPLETE; i++) {
      assertThat(take("r" + i, Pieces.of(frame(MOST)).get(0))).isEmpty();
    }
    assertThatThrownBy(() -> take("another", Pieces.of(frame(MOST)).get(0)))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("too many others");
    byte[] frame = frame(MOST);
    Optional<byte[]> whole = Optional.empty();
    for (byte[] each : Pieces.of(frame)) {
      whole = take("r0", each); // In its own place.
    }
    assertThat(whole).get().isEqualTo(frame);
  }

  @Test
  void piecesThatMakeNoSenseAreRefused() {
    byte[] piece = Pieces.of(frame(200_000)).get(0);
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
    assertThatThrownBy(() -> take("r1", Pieces.of(frame(MOST + 1)).get(0)))
        .isInstanceOf(RefusedMessageException.class);
  }
}
