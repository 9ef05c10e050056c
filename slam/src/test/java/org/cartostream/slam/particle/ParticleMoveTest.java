package org.cartostream.slam.particle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ParticleMoveTest {

  @Test
  void movesNameEachParentOncePerTarget() {
    int[] parents = {0, 0, 0, 3, 3};
    int[] before = {0, 0, 1, 1, 1};
    int[] after = {0, 1, 1, 1, 0};

    List<ParticleMove> particleMoves = ParticleMove.between(parents, before, after);

    assertThat(particleMoves).hasSize(2);
    assertThat(particleMoves.get(0))
        .usingRecursiveComparison()
        .isEqualTo(new ParticleMove(0, 0, 1, new int[] {1, 2}, ParticleMove.NO_ANCESTOR, 0));
    assertThat(particleMoves.get(1))
        .usingRecursiveComparison()
        .isEqualTo(new ParticleMove(3, 1, 0, new int[] {4}, ParticleMove.NO_ANCESTOR, 0));
  }
}
