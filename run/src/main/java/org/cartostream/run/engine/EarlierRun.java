package org.cartostream.run.engine;

import java.io.IOException;
import java.util.ArrayList;
import org.cartostream.checkpoint.RunState;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.mapping.ParticleMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.dispatch.SavedReadings;
import org.cartostream.topology.match.SavedParticles;
import org.cartostream.topology.publish.SavedPaths;

/**
 * A mapping run that has left its state, of one thread or of a service: what one thread goes on
 * with, and its path.
 */
public record EarlierRun(RunState state) {

  /** True if a service had it. */
  private boolean isOfService() {
    return state.manifest().parts().stream().anyMatch(part -> part.name().equals(SavedPaths.PART));
  }

  /** The robot's id. */
  public String robot() {
    String run = state.manifest().cut().run();
    return isOfService() ? run.replaceFirst(RunCheckpoints.OF_A_SERVICE + "$", "") : run;
  }

  /** As the setting has it. */
  public String seed() {
    return state.manifest().identity().get("seed");
  }

  /** Number of the latest reading. */
  public long reading() {
    return state.manifest().cut().reading();
  }

  /** The best path, with its loops open. */
  RecordedPath path() throws IOException {
    return isOfService()
        ? SavedPaths.of(state).tree().bestPath()
        : ofOneThread().filter().trajectoryTree().bestPath();
  }

  /**
   * All that it was in the end.
   *
   * @throws IOException if the file has it not, or that of another version of the program
   */
  SerialEngine.State end(FilterSettings settings) throws IOException {
    return isOfService() ? ofService(settings) : ofOneThread();
  }

  private SerialEngine.State ofOneThread() throws IOException {
    return state.read(RunCheckpoints.PART, SerialEngine.State.class);
  }

  private SerialEngine.State ofService(FilterSettings settings) throws IOException {
    SavedPaths paths = SavedPaths.of(state);
    SavedParticles<ParticleMap> particles =
        SavedParticles.of(state, new MappingFilters(settings), robot());
    SerialFilter filter =
        new SerialFilter(
            SavedReadings.filter(state),
            particles.partition(),
            particles.selector(),
            paths.tree(),
            paths.effectiveSampleSize(),
            paths.entropy());
    Step latest = paths.latestKeyFrame();
    LogPart log =
        latest == null
            ? LogPart.begun(reading())
            : LogPart.behind(reading(), latest.stampNanos(), latest.scan().mount());
    return new SerialEngine.State(filter, new ArrayList<>(), log);
  }
}
