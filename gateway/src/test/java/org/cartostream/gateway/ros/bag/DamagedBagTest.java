package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is wrong with a bag, it is read or a sentence says what is wrong. */
@Quick
class DamagedBagTest {

  private static final int SCANS = 7;
  private static final int TRIES = 50;

  @TempDir private Path folder;

  private Path file;

  private void write(byte[] bag) throws IOException {
    file = folder.resolve("damaged.bag");
    Files.write(file, bag);
  }

  /** How many scans can be used, or what the reader says is wrong. */
  private Object outcome() throws IOException {
    int taken = 0;
    try (BagLog log = BagLog.open(List.of(file), Settings.defaults(RosSettings.class))) {
      while (log.hasNext()) {
        taken += log.next() instanceof LogEntry.Usable ? 1 : 0;
      }
      return taken;
    } catch (FileFormatException e) {
      return e;
    } catch (UncheckedIOException e) {
      return e.getCause();
    }
  }

  private boolean isRead(String what) {
    try {
      Object outcome = outcome();
      if (outcome instanceof IOException e) {
        assertThat(e).as(what).isInstanceOf(FileFormatException.class);
        assertThat(e).as(what).hasMessageContaining(file.toString());
      }
      return outcome instanceof Integer;
    } catch (IOException | RuntimeException e) {
      throw new AssertionError(what + " brings " + e, e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWholeBagIsRead(SmallBag.Packing packing) throws Exception {
    write(SmallBag.whole(packing, SCANS));
    assertThat(outcome()).isEqualTo(SCANS);
  }

  @Test
  void aFieldThatIsTooShortIsNamed() throws Exception {
    int damages = 0;
    int fields = SmallBag.fields(SCANS);
    for (int field = 0; field < fields; field++) {
      for (int bytes : List.of(1, 8)) {
        write(SmallBag.shortened(SCANS, field, bytes));
        boolean read = isRead("field %d shorter by %d bytes".formatted(field, bytes));
        damages += read && !isDamaged() ? 0 : 1;
      }
    }
    assertThat(damages).isGreaterThan(SCANS);
  }

  @Test
  void saysHowMuchOfABagThatIsCutOffIsThere() throws Exception {
    byte[] whole = SmallBag.whole(SmallBag.Packing.NONE, 10 * SCANS);
    byte[] index = "index_pos=".getBytes(StandardCharsets.US_ASCII);
    int at = new String(whole, StandardCharsets.ISO_8859_1).indexOf("index_pos=") + index.length;
    long end = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
    write(Arrays.copyOf(whole, (int) end * 3 / 4));
    try (BagLog log = BagLog.open(List.of(file), Settings.defaults(RosSettings.class))) {
      assertThat(log.damage().orElseThrow())
          .startsWith(
              String.format(
                  Locale.ROOT,
                  "the log ends early: %,d of some %,d bytes are there (75 %%); ",
                  end * 3 / 4,
                  end))
          .contains(" % of these bytes are read: ");
    }
  }

  private boolean isDamaged() throws IOException {
    try (BagLog log = BagLog.open(List.of(file), Settings.defaults(RosSettings.class))) {
      return log.damage().isPresent() || !log.notices().isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void bytesThatAreWrongBringASentence(SmallBag.Packing packing) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] whole = SmallBag.whole(packing, SCANS);
    for (int i = 0; i < TRIES; i++) {
      byte[] bag = whole.clone();
      for (int wrong = random.nextInt(8); wrong >= 0; wrong--) {
        bag[random.nextInt(bag.length)] = (byte) random.nextInt();
      }
      write(bag);
      isRead("bag %d of seed %d".formatted(i, seed));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBagThatIsCutOffIsReadOrRefused(SmallBag.Packing packing) throws Exception {
    byte[] whole = SmallBag.whole(packing, SCANS);
    for (int length = 13; length < whole.length; length += 1 + whole.length / TRIES) {
      write(Arrays.copyOf(whole, length));
      isRead("the first %d bytes".formatted(length));
    }
  }
}
