package org.cartostream.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ResamplingMode;
import org.junit.jupiter.api.Test;

@Quick
class ScaleCaseTest {

  private static RootSettings settings(ScaleCase each) {
    return Settings.build(RootSettings.class, each.settings());
  }

  @Test
  void aCaseIsWhatItsSettingsSay() {
    ScaleCase bsp = new ScaleCase(60, ScaleCase.Variant.PLAIN, ResamplingMode.BSP, "tcp", 4);
    assertThat(settings(bsp).slam().particles()).isEqualTo(60);
    assertThat(settings(bsp).topology().mode()).isEqualTo(ResamplingMode.BSP);
    assertThat(settings(bsp).topology().collectiveTransport()).isEqualTo("tcp");
    assertThat(settings(bsp.withTasks(7)).topology().tasks()).isEqualTo(7);
    assertThat(bsp.name()).isEqualTo("bsp tcp, 60 p");
  }

  @Test
  void forcedIsResampledWheneverWeightsDiffer() {
    ScaleCase forced =
        new ScaleCase(60, ScaleCase.Variant.FORCED, ResamplingMode.DATAFLOW, null, 2);
    assertThat(settings(forced).slam().resampleBelow()).isEqualTo(1);
    assertThat(forced.withVariant(ScaleCase.Variant.PLAIN).withTasks(2).name())
        .isEqualTo("dataflow, 60 p");
  }

  @Test
  void aCutoffBoundsTheEvaluationsOfEachParticle() {
    ScaleCase cut =
        new ScaleCase(60, ScaleCase.Variant.cutoff(80), ResamplingMode.DATAFLOW, null, 2);
    assertThat(settings(cut).slam().matcher().maxEvaluations()).isEqualTo(80);
    assertThat(cut.name()).isEqualTo("dataflow, 60 p, cutoff 80");
  }
}
