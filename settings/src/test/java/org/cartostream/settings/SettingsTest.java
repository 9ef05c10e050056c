package org.cartostream.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class SettingsTest {

  enum Colour {
    RED,
    GREEN
  }

  record Wheel(
      @Setting(value = "0.3", unit = "m", min = 0.1, max = 2, description = "Radius.")
          double radius) {}

  record Cart(
      @Setting(value = "4", min = 1, description = "Wheels.") int wheels,
      @Setting(value = "true", description = "Brakes.") boolean brakes,
      @Setting(value = "RED", description = "Colour.") Colour colour,
      @Setting(value = "cart", description = "Name.") String name,
      Wheel wheel) {}

  @Test
  void defaultsComeFromTheAnnotations() {
    assertThat(Settings.defaults(Cart.class))
        .isEqualTo(new Cart(4, true, Colour.RED, "cart", new Wheel(0.3)));
  }

  @Test
  void overridesReplaceDefaultsByKey() {
    Map<String, String> overrides =
        Map.of("wheels", "3", "brakes", "false", "colour", "green", "wheel.radius", "1.5");

    assertThat(Settings.build(Cart.class, overrides))
        .isEqualTo(new Cart(3, false, Colour.GREEN, "cart", new Wheel(1.5)));
  }

  @Test
  void aChangeLeavesEverythingElseAsItWas() {
    Cart cart = new Cart(7, false, Colour.GREEN, "x", new Wheel(0.5));

    assertThat(Settings.with(cart, Map.of("wheel.radius", "0.25")))
        .isEqualTo(new Cart(7, false, Colour.GREEN, "x", new Wheel(0.25)));
  }

  @Test
  void valuesReadBackGiveTheSameRecord() {
    Cart cart = new Cart(7, false, Colour.GREEN, "x", new Wheel(0.123456789));

    assertThat(Settings.build(Cart.class, Settings.values(cart))).isEqualTo(cart);
  }

  @Test
  void theEnvironmentGivesValuesByKey() {
    Map<String, String> environment =
        Map.of(
            "CARTOSTREAM_WHEELS", "3",
            "CARTOSTREAM_WHEEL_RADIUS", "0.5",
            "CARTOSTREAM_WHEEL_FILE", "not a setting",
            "CARTOSTREAM_CACHE", "/tmp",
            "PATH", "/bin");
    assertThat(Settings.fromEnvironment(Cart.class, environment, Set.of("CARTOSTREAM_WHEEL_FILE")))
        .isEqualTo(Map.of("wheels", "3", "wheel.radius", "0.5"));
    assertThat(Settings.variable("slam.stepMetres")).isEqualTo("CARTOSTREAM_SLAM_STEP_METRES");
  }

  @Test
  void aVariableThatIsNearlyASettingIsRefused() {
    Map<String, String> environment = Map.of("CARTOSTREAM_WHEEL_RADIUM", "1");
    assertThatThrownBy(() -> Settings.fromEnvironment(Cart.class, environment, Set.of()))
        .hasMessage(
            "the environment's CARTOSTREAM_WHEEL_RADIUM is no setting; did you mean"
                + " CARTOSTREAM_WHEEL_RADIUS?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wheels       | 0    | wheels: 0 is out of bounds; it must be at least 1",
        "wheels       | 9999999999 | wheels: 9999999999 is out of bounds; it must be from 1 to"
            + " 2147483647",
        "wheels       | two  | wheels: 'two' is not a whole number",
        "wheel.radius | 3    | wheel.radius: 3 is out of bounds; it must be from 0.1 to 2 m",
        "wheel.radius | NaN  | wheel.radius: NaN is out of bounds; it must be from 0.1 to 2 m",
        "brakes       | yes  | brakes: 'yes' is not true or false",
        "colour       | blue | colour: 'blue' is none of [RED, GREEN]",
        "wheel.radios | 1    | unknown key 'wheel.radios'; did you mean 'wheel.radius'?"
      })
  void refusesAWrongValueAndSaysWhatWouldBeRight(String key, String value, String message) {
    assertThatThrownBy(() -> Settings.build(Cart.class, Map.of(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
