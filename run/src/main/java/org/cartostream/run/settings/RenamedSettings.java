package org.cartostream.run.settings;

import java.util.Map;
import org.cartostream.settings.RenamedKeys;

/**
 * Lists the keys and sections of {@link RootSettings} that had another name in release 0.1. Release
 * 0.2 takes both; the rows go with it. CONTRIBUTING.md has them for people.
 */
public final class RenamedSettings {

  public static final RenamedKeys SINCE_0_1 =
      new RenamedKeys(
          Map.of(
              "slam.intake", "slam.readingFilter",
              "register", "registry",
              "topology.carrier", "topology.collectiveTransport",
              "topology.farewellSeconds", "topology.finalResultSeconds",
              "topology.spoutMessages", "topology.prefetchMessages"));

  private RenamedSettings() {}
}
