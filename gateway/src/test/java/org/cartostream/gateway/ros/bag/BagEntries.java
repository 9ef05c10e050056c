package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/** All that is in a bag: for each scan one entry. */
record BagEntries(List<LogEntry> all) {

  static BagEntries of(Path bag) throws IOException {
    return of(bag, Settings.defaults(RosSettings.class));
  }

  static BagEntries of(Path bag, RosSettings settings) throws IOException {
    List<LogEntry> all = new ArrayList<>();
    try (BagLog log = BagLog.open(List.of(bag), settings)) {
      log.forEachRemaining(all::add);
      assertThat(all).hasSize(log.scanCount());
    }
    return new BagEntries(all);
  }

  List<Reading> readings() {
    return all.stream()
        .filter(LogEntry.Usable.class::isInstance)
        .map(entry -> ((LogEntry.Usable) entry).reading())
        .toList();
  }

  List<Refusal> refusals() {
    return all.stream()
        .filter(LogEntry.Refused.class::isInstance)
        .map(entry -> ((LogEntry.Refused) entry).why().refusal())
        .toList();
  }
}
