package org.cartostream.bench.fuzz;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32C;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.journal.BlockLog;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.ReadingFilterSettings;

/**
 * A live robot's journal or spool, as it is read when its gateway goes on with the run. Every
 * second changed file gets checksums that match, for others detect any change first.
 */
final class FuzzableJournal {

  /** The robot whose files they are. */
  static final String ROBOT = "fuzzed";

  private FuzzableJournal() {}

  /**
   * Goes on with a run that left a changed file, at a broker that is away.
   *
   * @throws IOException if it is refused, with a sentence for people
   */
  static void read(FuzzInput.Kind kind, Path changed) throws IOException {
    byte[] bytes = Files.readAllBytes(changed);
    Path folder = changed.resolveSibling("robot");
    Path journal = folder.resolve("checkpoint").resolve(RunJournal.FILE);
    Files.createDirectories(journal.getParent());
    Files.deleteIfExists(journal);
    if (kind == FuzzInput.Kind.SPOOL) {
      RunJournal.begin(
              journal, RunJournal.Keeps.READINGS, Map.of("robot", ROBOT), RunBeginning.anew())
          .close();
    }
    Files.write(
        kind == FuzzInput.Kind.SPOOL ? folder.resolve("backlog.spool") : journal,
        Arrays.hashCode(bytes) % 2 == 0 ? bytes : signed(bytes));
    LiveGateway.Robot robot =
        new LiveGateway.Robot(
            ROBOT,
            Settings.defaults(GatewaySettings.class),
            Settings.defaults(ReadingFilterSettings.class),
            folder,
            true);
    try (LiveGateway gateway =
        LiveGateway.open(
            robot,
            idle(LiveListener.class),
            listener -> idle(BrokerConnection.class),
            System::nanoTime)) {
      gateway.stop();
      gateway.stop();
      gateway.run();
    } catch (GatewayException e) {
      throw new IOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns what does nothing: its methods return false, 0 or null. */
  private static <T> T idle(Class<T> type) {
    Map<Class<?>, Object> results = Map.of(boolean.class, false, int.class, 0);
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> results.get(method.getReturnType())));
  }

  private static byte[] signed(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes);
    while (all.remaining() > BlockLog.HEAD_BYTES) {
      int length = all.getInt();
      int start = all.position() + BlockLog.HEAD_BYTES - Integer.BYTES;
      if (length <= 0 || length > bytes.length - start) {
        break;
      }
      CRC32C checksum = new CRC32C();
      checksum.update(bytes, start, length);
      all.putInt(~length).putInt((int) checksum.getValue()).position(start + length);
    }
    return bytes;
  }
}
