package org.cartostream.sim.robot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.sim.world.SdfWorld;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class SimulationTest {

  private static List<Simulation.Sample> samples(long seed, int count) {
    Simulation simulation = new Simulation(SdfWorld.load("office"), seed, 0);
    List<Simulation.Sample> samples = new ArrayList<>();
    while (samples.size() < count) {
      samples.add(simulation.next());
    }
    return samples;
  }

  @Test
  void oneSeedGivesOneDrive() {
    List<Simulation.Sample> once = samples(5, 200);
    List<Simulation.Sample> again = samples(5, 200);
    for (int i = 0; i < once.size(); i++) {
      assertThat(again.get(i).truth()).isEqualTo(once.get(i).truth());
      assertThat(again.get(i).reading().odometry()).isEqualTo(once.get(i).reading().odometry());
      assertThat(again.get(i).reading().scan().ranges())
          .isEqualTo(once.get(i).reading().scan().ranges());
    }
    assertThat(once.stream().map(Simulation.Sample::reading).map(Reading::stampNanos)).isSorted();
    assertThat(once.get(0).truth().distance(once.get(199).truth())).isGreaterThan(1);
  }
}
