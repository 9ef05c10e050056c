package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MoveTest {

  @Test
  void movesNameEachParentOncePerTarget() {
    int[] parents = {0, 0, 0, 3, 3};
    int[] before = {0, 0, 1, 1, 1};
    int[] after = {0, 1, 1, 1, 0};

    List<Move> moves = Move.between(parents, before, after);

    assertThat(moves).hasSize(2);
    assertThat(moves.get(0))
        .usingRecursiveComparison()
        .isEqualTo(new Move(0, 0, 1, new int[] {1, 2}));
    assertThat(moves.get(1)).usingRecursiveComparison().isEqualTo(new Move(3, 1, 0, new int[] {4}));
  }
}
