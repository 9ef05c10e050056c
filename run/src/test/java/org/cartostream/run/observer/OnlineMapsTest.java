package org.cartostream.run.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.cartostream.run.Logs;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.Test;

@Quick
class OnlineMapsTest {

  private final List<Long> drawn = new ArrayList<>();

  private final RunObserver observer =
      new RunObserver() {
        @Override
        public void map(OccupancyGrid map, int correction, long stampNanos) {
          drawn.add(stampNanos);
        }
      };

  private final Queue<Long> moments = new ArrayDeque<>();
  private final OnlineMaps maps = new OnlineMaps(observer, this::nextMillis);

  private long nextMillis() {
    return moments.remove() * 1_000_000;
  }

  private static SerialFilter filter() {
    return new SerialFilter(
        Settings.build(FilterSettings.class, Map.of("particles", "1")), "office");
  }

  private static SerialFilter filterWithAReading() throws Exception {
    SerialFilter filter = filter();
    try (LaserLog office = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults())) {
      LogEntry.Usable first = (LogEntry.Usable) office.next();
      Reading reading = first.reading();
      filter.process(1, reading);
    }
    return filter;
  }

  @Test
  void drawingTakesATwentiethOfTheTime() throws Exception {
    SerialFilter filter = filterWithAReading();
    moments.addAll(List.of(1_000L, 1_100L)); // It takes 100 ms, so 1.9 s are for other things.
    maps.after(filter, 1);
    moments.add(2_999L);
    maps.after(filter, 2);
    moments.addAll(List.of(3_000L, 3_001L));
    maps.after(filter, 3);
    assertThat(drawn).containsExactly(1L, 3L);
  }

  @Test
  void nothingIsDrawnBeforeTheFirstReading() {
    moments.add(1_000L);
    maps.after(filter(), 1);
    assertThat(drawn).isEmpty();
  }

  @Test
  void nobodyWatchesAndNothingIsDrawn() throws Exception {
    moments.add(1_000L);
    new OnlineMaps(RunObserver.NONE, this::nextMillis).after(filterWithAReading(), 1);
    assertThat(drawn).isEmpty();
  }
}
