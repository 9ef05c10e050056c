package org.cartostream.topology.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class LoadBalancerTest {

  private static final int KEY_FRAMES = 20;

  private static LoadBalancer after(double tolerance, int[] places, long... nanosPerParticle) {
    LoadBalancer loadBalancer = new LoadBalancer(tolerance, places);
    for (int keyFrame = 0; keyFrame < KEY_FRAMES; keyFrame++) {
      for (int task = 0; task < places.length; task++) {
        loadBalancer.record(task, nanosPerParticle[task] * places[task], places[task]);
      }
    }
    return loadBalancer;
  }

  @Test
  void aTaskThatTakesTwiceAsLongForAParticleGetsHalfAsMany() {
    assertThat(after(0.1, new int[] {30, 30}, 100, 200).places(60)).containsExactly(40, 20);
    assertThat(after(0.1, new int[] {25, 25, 25, 25}, 10, 10, 10, 20).places(100))
        .containsExactly(29, 29, 28, 14);
  }

  @Test
  void whatIsWithinTheToleranceStays() {
    assertThat(after(0.1, new int[] {30, 30}, 100, 115).places(60)).containsExactly(30, 30);
    assertThat(after(1_000_000, new int[] {30, 30}, 100, 900).places(60)).containsExactly(30, 30);
  }

  @Test
  void onePauseIsNoSlowMachine() {
    LoadBalancer loadBalancer = after(0.1, new int[] {30, 30}, 100, 100);
    loadBalancer.record(1, 1_000_000, 30);
    assertThat(loadBalancer.places(60)).containsExactly(30, 30);
  }

  @Test
  void nothingIsDoneBeforeTheTimesAreKnown() {
    LoadBalancer loadBalancer = new LoadBalancer(0.1, new int[] {30, 30});
    for (int keyFrame = 0; keyFrame < KEY_FRAMES; keyFrame++) {
      loadBalancer.record(0, 1000, 30);
      loadBalancer.record(1, 0, 30);
    }
    assertThat(loadBalancer.places(60)).containsExactly(30, 30);
  }

  @Test
  void everyTaskKeepsAtLeastOneParticle() {
    assertThat(after(0.1, new int[] {2, 2}, 1, 1000).places(4)).containsExactly(3, 1);
  }

  @Test
  void moreOrFewerParticlesAreSharedOutInTheSameProportion() {
    LoadBalancer loadBalancer = after(0.1, new int[] {30, 30}, 100, 200);
    assertThat(loadBalancer.places(60)).containsExactly(40, 20);
    assertThat(loadBalancer.places(30)).containsExactly(20, 10);
    assertThat(loadBalancer.places(3)).containsExactly(2, 1);
    assertThat(loadBalancer.places(1)).containsExactly(0, 1);
    assertThat(loadBalancer.places(60)).containsExactly(40, 20);
    assertThat(new LoadBalancer(1_000_000, new int[] {6, 6, 6}).places(2)).containsExactly(0, 1, 1);
  }

  @Test
  void whoRecoversGetsItsShareBack() {
    LoadBalancer loadBalancer = after(0.1, new int[] {30, 30}, 100, 200);
    int[] uneven = loadBalancer.places(60);
    for (int keyFrame = 0; keyFrame < KEY_FRAMES; keyFrame++) {
      loadBalancer.record(0, 100L * uneven[0], uneven[0]);
      loadBalancer.record(1, 100L * uneven[1], uneven[1]);
    }
    assertThat(loadBalancer.places(60)).containsExactly(30, 30);
  }
}
