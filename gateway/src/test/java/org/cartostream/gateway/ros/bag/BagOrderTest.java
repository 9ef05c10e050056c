package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.gateway.ros.scan.RosRefusal;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bags whose messages are not in the order of time. */
@Quick
class BagOrderTest {

  private static final int SCANS = 20;

  @TempDir private Path folder;

  private BagEntries backwards(boolean odometry) throws IOException {
    byte[] bag = SmallBag.backwards(SCANS, odometry);
    return BagEntries.of(Files.write(folder.resolve("backwards.bag"), bag));
  }

  @Test
  void refusesTheirScansForTheOrderAndSaysWhatToDo() throws Exception {
    BagEntries entries = backwards(true);
    assertThat(entries.readings()).hasSize(1);
    assertThat(entries.refusals()).hasSize(SCANS - 1).containsOnly(RosRefusal.NOT_IN_ORDER);
    assertThat(((LogEntry.Refused) entries.all().get(1)).why().toString())
        .contains("rosbag filter or mcap sort")
        .contains("a message of 1.00 s comes behind one of 2.01 s; as it is: The ");
  }

  /** The last message is of long before the first scan, which waits for odometry until then. */
  @Test
  void everyScanIsAnEntry() throws Exception {
    assertThat(backwards(false).all()).hasSize(SCANS);
  }
}
