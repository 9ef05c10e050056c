package org.cartostream.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class RenamedKeysTest {

  private static final RenamedKeys RENAMED =
      new RenamedKeys(Map.of("cart.rad", "cart.wheel", "waggon", "cart", "cart.name", "title"));

  private final List<String> warnings = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "cart.rad, cart.wheel",
    "cart.rad.size, cart.wheel.size",
    "waggon.wheels, cart.wheels",
    "waggon, cart",
    "cart.name, title",
    "cart.radius, cart.radius",
    "waggons.wheels, waggons.wheels",
    "my.waggon.wheels, my.waggon.wheels",
    "'', ''"
  })
  void aRowNamesAKeyOrAWholeSection(String old, String today) {
    assertThat(RENAMED.today(old)).isEqualTo(today);
  }

  @Test
  void oldKeysGiveTheValueOfTheNewOnesAndAWarningEach() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("waggon.wheels", "4");
    values.put("cart.brakes", "true");
    values.put("cart.name", "x");

    Map<String, String> translated = RENAMED.translate(values, warnings::add);

    assertThat(translated)
        .containsExactly(
            Map.entry("cart.wheels", "4"),
            Map.entry("cart.brakes", "true"),
            Map.entry("title", "x"));
    assertThat(warnings).hasSize(2);
    assertThat(warnings.get(0)).contains("'waggon.wheels'", "'cart.wheels'");
    assertThat(warnings.get(1)).contains("'cart.name'", "'title'");
  }

  @Test
  void keysOfTodayPassWithoutAWarning() {
    Map<String, String> values = Map.of("cart.wheels", "4");

    assertThat(RENAMED.translate(values, warnings::add)).isEqualTo(values);
    assertThat(warnings).isEmpty();
  }

  /** Which of them is meant cannot be known. */
  @Test
  void refusesAKeyUnderBothNames() {
    Map<String, String> values = Map.of("waggon.wheels", "4", "cart.wheels", "4");

    assertThatThrownBy(() -> RENAMED.translate(values, warnings::add))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'waggon.wheels'", "'cart.wheels'", "both");
  }
}
