package org.cartostream.run.checkpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.broker.Version;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.SharedParts;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.topology.dispatch.SavedReadings;
import org.cartostream.topology.match.SavedParticles;
import org.cartostream.topology.publish.SavedPaths;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * A filter that ran in one thread, as a checkpoint from which a service can continue. The
 * checkpoint looks like one of a service with one matcher task.
 *
 * @param identity settings that must be the same in the service that continues
 */
public record ServiceCheckpoint(
    SerialFilter filter, CheckpointId id, SortedMap<String, String> identity) {

  /** Writes all parts and the manifest into a store. */
  public void write(CheckpointStore store, ServiceSettings settings) throws IOException {
    MappingFilters filters = new MappingFilters(settings.filter());
    Map<String, Object> states = new TreeMap<>();
    states.put(SavedReadings.PART, SavedReadings.part(filter.readingFilter()));
    states.putAll(
        new SavedParticles<>(filter.partition(), filter.selector())
            .parts(settings, filters, id.reading()));
    states.put(SavedPaths.PART, new SavedPaths(filter.trajectoryTree(), null).part(id.reading()));
    SharedParts shared = new SharedParts(store);
    List<CheckpointPart> parts = new ArrayList<>();
    for (Map.Entry<String, Object> each : states.entrySet()) {
      StateCodec.Encoded encoded = StateCodec.encode(each.getValue());
      parts.addAll(shared.write(id.run(), each.getKey(), encoded.contents()));
      parts.add(store.write(id, each.getKey(), encoded.blocks()));
    }
    store.commit(new Manifest(id, Version.current(), identity, parts));
  }
}
