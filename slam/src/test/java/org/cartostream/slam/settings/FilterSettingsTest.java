package org.cartostream.slam.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class FilterSettingsTest {

  private static FilterSettings of(String cellMetres, String sigmaHitMetres) {
    return Settings.build(
        FilterSettings.class,
        Map.of("cellMetres", cellMetres, "matcher.sigmaHitMetres", sigmaHitMetres));
  }

  @Test
  void refusesCellsInWhichAHitWouldNotFindItsWall() {
    assertThatThrownBy(() -> of("0.01", "0.06"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slam.cellMetres 0.01 and slam.matcher.sigmaHitMetres 0.06")
        .hasMessageContaining("within 3 cells of a hit, and 0.030 m are less");
    assertThat(of("0.02", "0.06").cellMetres()).isEqualTo(0.02);
    assertThat(of("0.01", "0.03").cellMetres()).isEqualTo(0.01);
  }

  @Test
  void refusesOneParticleAtLeastForItWouldStayOne() {
    assertThatThrownBy(
            () -> Settings.build(FilterSettings.class, Map.of("adaptive.minParticles", "1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("slam.adaptive.minParticles 1: one particle is never resampled");
  }

  @Test
  void refusesMoreParticlesAtLeastThanAtMost() {
    Map<String, String> values = Map.of("particles", "30", "adaptive.minParticles", "31");
    assertThatThrownBy(() -> Settings.build(FilterSettings.class, values))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "slam.adaptive.minParticles 31 are more than slam.particles 30, which is the most");
  }
}
