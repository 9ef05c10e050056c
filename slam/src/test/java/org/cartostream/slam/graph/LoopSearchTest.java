package org.cartostream.slam.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.settings.LoopSettings;
import org.cartostream.slam.settings.MatcherSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class LoopSearchTest {

  private static final double CELL = 0.05;
  private static final double NODE_METRES = 0.5;

  private final LoopSearch search = search();

  private static LoopSearch search() {
    return new LoopSearch(
        Settings.defaults(LoopSettings.class),
        Settings.defaults(MatcherSettings.class),
        CELL,
        LoopSearch.SEARCHED_METRES);
  }

  /** Two rounds but for a side, whose first side bends. */
  private static LocalSubmaps drive(double radiansAMetre) {
    List<PosedScan> path = RingDrive.bent(RingDrive.rounds(1.7), RingDrive.ring(), radiansAMetre);
    int[] nodes = IntStream.range(0, path.size()).filter(i -> i % 5 == 0).toArray();
    Beams[] beams =
        Arrays.stream(nodes)
            .mapToObj(i -> Beams.of(path.get(i).scan(), TiledMap.UNITS / CELL, 0.005))
            .toArray(Beams[]::new);
    return new LocalSubmaps(
        Arrays.stream(nodes).mapToObj(i -> path.get(i).pose()).toArray(Pose[]::new),
        i -> beams[i],
        IntStream.range(0, nodes.length).mapToDouble(i -> NODE_METRES * i).toArray());
  }

  @Test
  void whereNothingHasMovedItFindsTheSameAgain() {
    LocalSubmaps drive = drive(0.012);
    List<Edge> first = search.edges(drive, List.of());

    assertThat(first).isNotEmpty();
    assertThat(search.edges(drive, List.of())).isEqualTo(first);
  }

  @Test
  void whereTheNodesHaveMovedItLooksAgain() {
    LocalSubmaps drive = drive(0);
    List<Edge> expected = onFirstSide(search().edges(drive, List.of()));
    // The second round is further off than it looks, abreast of the same nodes of the first.
    Pose[] apart = drive.poses().clone();
    for (int i = (int) (4 * RingDrive.SIDE / NODE_METRES); i < apart.length; i++) {
      apart[i] = new Pose(apart[i].x(), apart[i].y() - 4, apart[i].theta());
    }
    assertThat(onFirstSide(search.edges(drive.at(apart), List.of()))).isNotEqualTo(expected);

    assertThat(onFirstSide(search.edges(drive, List.of()))).isEqualTo(expected);
  }

  /** Those that lead back there. */
  private static List<Edge> onFirstSide(List<Edge> edges) {
    double nodes = RingDrive.SIDE / NODE_METRES;
    return edges.stream().filter(edge -> edge.from() < nodes / 2).toList();
  }

  @Test
  void whatIsKnownStaysAndIsNotLookedFor() {
    LocalSubmaps drive = drive(0.012);
    List<Edge> first = search.edges(drive, List.of());

    assertThat(search().edges(drive, first)).startsWith(first.toArray(Edge[]::new));
  }
}
