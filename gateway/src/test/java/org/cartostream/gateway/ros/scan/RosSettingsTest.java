package org.cartostream.gateway.ros.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RosSettingsTest {

  private static RosSettings withPeriod(String seconds) {
    return Settings.with(
        Settings.defaults(RosSettings.class), Map.of("transformPeriodSeconds", seconds));
  }

  /** As slam_gmapping's transform_publish_period. */
  @Test
  void takesNoPeriodForNoTransforms() {
    assertThat(withPeriod("0").transformPeriodSeconds()).isZero();
    assertThat(withPeriod("0.005").transformPeriodSeconds()).isEqualTo(0.005);
  }

  @Test
  void refusesAPeriodThatIsTooShort() {
    assertThatThrownBy(() -> withPeriod("0.004"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "ros.transformPeriodSeconds: 0.004 s is too short; it must be at least 0.005 s, or 0"
                + " for no transforms at all");
  }
}
