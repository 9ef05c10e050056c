package org.cartostream.broker.message;

import java.util.List;
import org.cartostream.slam.trajectory.ClosedLoop;

/**
 * Loop edges by which a robot's map is corrected, from the reading on whose number the envelope
 * carries; service to robot. At the end of a run, before the last map, come the loop edges of the
 * whole path. To be shown only. A newer message replaces an older one, but may never come.
 */
public record LoopsMessage(List<ClosedLoop> loops) implements Message {

  public LoopsMessage {
    loops = List.copyOf(loops);
  }
}
