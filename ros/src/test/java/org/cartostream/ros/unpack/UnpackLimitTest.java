package org.cartostream.ros.unpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.cartostream.ros.RosException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class UnpackLimitTest {

  private static final long MEBI = 1 << 20;

  /** So many zeros. */
  private static InputStream zeros(long bytes) {
    return new InputStream() {
      private long left = bytes;

      @Override
      public int read() {
        return left-- > 0 ? 0 : -1;
      }

      @Override
      public int read(byte[] into, int at, int length) {
        int got = (int) Math.min(length, left);
        left -= got;
        return got == 0 ? -1 : got;
      }
    };
  }

  private static long read(long bytes, long packedBytes) throws IOException {
    return UnpackLimit.bounded(zeros(bytes), packedBytes).transferTo(OutputBytes.NONE);
  }

  /** Takes them, and keeps none. */
  private static final class OutputBytes extends OutputStream {
    static final OutputBytes NONE = new OutputBytes();

    @Override
    public void write(int each) {}

    @Override
    public void write(byte[] each, int at, int length) {}
  }

  @Test
  void whatDoesNoHarmMayBePackedIntoAsFewBytesAsItLikes() throws IOException {
    assertThat(read(64 * MEBI, 1)).isEqualTo(64 * MEBI);
    assertThatNoException().isThrownBy(() -> UnpackLimit.check(1, 64 * MEBI));
  }

  @Test
  void whatIsLongerMayBeTenThousandTimesAsLongAsItIsPacked() throws IOException {
    assertThat(read(100 * MEBI, 10_486)).isEqualTo(100 * MEBI);
    assertThatThrownBy(() -> read(100 * MEBI, 10_485))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 10000 times as long as the 10485 bytes");
    assertThatThrownBy(() -> UnpackLimit.check(10_484, 100 * MEBI))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 10000 times");
  }

  @Test
  void aBlockIsAQuarterOfTheHeapAtMostAndTheSentenceSaysWhichHeapWouldHoldIt() {
    long heap = Runtime.getRuntime().maxMemory();
    long bytes = heap / 4 + MEBI;
    assertThatNoException().isThrownBy(() -> UnpackLimit.check(bytes, heap / 4));
    assertThatThrownBy(() -> UnpackLimit.check(bytes, bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a quarter of the heap of " + heap / MEBI + " MiB")
        .hasMessageContaining("(-Xmx" + (4 * bytes / MEBI + 1) + "m)");
  }

  @Test
  void aMessageIsSixtyFourMegabytesAtMost() {
    assertThatNoException().isThrownBy(() -> UnpackLimit.checkMessage(1000));
    assertThatThrownBy(() -> UnpackLimit.checkMessage(64 * MEBI + 1))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("no scan needs");
  }
}
