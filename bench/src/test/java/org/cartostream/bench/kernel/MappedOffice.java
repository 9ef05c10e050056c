package org.cartostream.bench.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.settings.FilterSettings;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What the kernels work on in a run: the map of a simulated tour, with default settings, and the
 * tour's scans at their poses. Each call of {@link #next} goes on to another scan, so that memory
 * is touched as in a run.
 */
@State(Scope.Thread)
public class MappedOffice {

  /** Beams of each scan, all of them hits. */
  public static final int BEAMS = 180;

  private static final long SEED = 1;

  /** A scan and where it was taken. */
  public record View(Beams beams, Pose pose) {}

  public final FilterSettings settings = Settings.build(FilterSettings.class, Map.of());
  public final double unitsPerMetre = TiledMap.UNITS / settings.cellMetres();
  public final ScanMatcher matcher = new ScanMatcher(settings.matcher(), settings.cellMetres());

  /** All views entered; nobody writes to it but to a fork. */
  public final TiledMap map = new TiledMap();

  private final List<View> views = new ArrayList<>();
  private int current;

  public MappedOffice() {
    Recording tour = SimulatedLog.of(World.office(), Route.deadEnds(), SEED);
    for (int i = 0; i < tour.readings().size(); i++) {
      Beams beams =
          Beams.of(tour.readings().get(i).scan(), unitsPerMetre, settings.independentRadians());
      if (beams.count() == BEAMS) {
        views.add(new View(beams, tour.reference().get(i).pose()));
      }
    }
    for (View view : views) {
      matcher.updateMap(map, view.beams(), view.pose());
    }
  }

  /** Another scan of the tour, in its order. */
  public View next() {
    current = current + 1 == views.size() ? 0 : current + 1;
    return views.get(current);
  }
}
