package org.cartostream.slam.log.carmen;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.WrittenLog;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the beams of a {@code FLASER} line look: what it is taken for, and what a setting says. */
@Quick
class FrontLaserAnglesTest extends WrittenLog {

  private static CarmenSettings degrees(String degrees) {
    return Settings.build(CarmenSettings.class, Map.of("flaserDegrees", degrees));
  }

  private static String flaser(int beams) {
    return "FLASER " + beams + " 1".repeat(beams) + " 0 0 0 0 0 0 1 robot 1\n";
  }

  private Scan scan(int beams, CarmenSettings settings) throws IOException {
    return scan(flaser(beams), settings);
  }

  private Scan scan(String text, CarmenSettings settings) throws IOException {
    try (LaserLog log = CarmenLog.open(write(text), settings)) {
      return ((LogEntry.Usable) log.next()).reading().scan();
    }
  }

  private List<String> notices(String text, CarmenSettings settings) throws IOException {
    try (LaserLog log = CarmenLog.open(write(text), settings)) {
      return log.notices();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 1",
    "180, -90, 1",
    "181, -90, 1",
    "360, -90, 0.5",
    "361, -90, 0.5",
    "400, -50, 0.25",
    "401, -50, 0.25",
    "540, -135, 0.5",
    "541, -135, 0.5",
    "682, -119.70703125, 0.3515625",
    "683, -119.8828125, 0.3515625",
    "769, -135, 0.3515625",
    "1081, -135, 0.25",
    "91, -90, 2"
  })
  void isThatOfTheLasersWithSoManyBeams(int beams, double startDegrees, double stepDegrees)
      throws IOException {
    Scan scan = scan(beams, CarmenSettings.defaults());

    assertThat(Math.toDegrees(scan.startAngle())).isCloseTo(startDegrees, within(1e-9));
    assertThat(Math.toDegrees(scan.angleStep())).isCloseTo(stepDegrees, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({
    "541, 180, -90, 0.333333333333",
    "180, 179, -89.5, 1",
    "640, 57.51, -28.755, 0.09",
    "360, 360, -180, 1",
    "1, 270, 0, 1"
  })
  void isWhatTheSettingSays(int beams, String degrees, double startDegrees, double stepDegrees)
      throws IOException {
    Scan scan = scan(beams, degrees(degrees));

    assertThat(Math.toDegrees(scan.startAngle())).isCloseTo(startDegrees, within(1e-9));
    assertThat(Math.toDegrees(scan.angleStep())).isCloseTo(stepDegrees, within(1e-9));
  }

  private static String resolution(String degrees) {
    return "PARAM laser_front_laser_resolution " + degrees + " nohost 0\n";
  }

  @ParameterizedTest
  @CsvSource({
    "270, 1, -134.5, 1",
    "512, 0.3515625, -89.82421875, 0.3515625",
    "541, 0.333333333333, -90, 0.333333333333",
    "360, 1, -180, 1",
    "400, 0.9, -180, 0.9",
    "720, 0.5, -180, 0.5",
    "1024, 0.3516, -180, 0.3515625",
    "640, 0.09, -28.755, 0.09",
  })
  void isByTheStepThatTheLogsParameterSays(
      int beams, String degrees, double startDegrees, double stepDegrees) throws IOException {
    // Wherever it stands: a logger may write its parameters later.
    for (String log :
        List.of(resolution(degrees) + flaser(beams), flaser(beams) + resolution(degrees))) {
      Scan scan = scan(log, CarmenSettings.defaults());

      assertThat(Math.toDegrees(scan.startAngle())).isCloseTo(startDegrees, within(1e-9));
      assertThat(Math.toDegrees(scan.angleStep())).isCloseTo(stepDegrees, within(1e-9));
    }
  }

  /** A parameter that says the same in other digits does not change a bit of a known laser. */
  @ParameterizedTest
  @CsvSource({"180, 1.0", "181, 1.000", "361, 0.5", "401, 0.25", "682, 0.36", "1081, 0.25"})
  void isThatOfAKnownLaserIfTheParameterSaysTheSame(int beams, String degrees) throws IOException {
    Scan known = scan(beams, CarmenSettings.defaults());

    Scan said = scan(resolution(degrees) + flaser(beams), CarmenSettings.defaults());

    assertThat(said.startAngle()).isEqualTo(known.startAngle());
    assertThat(said.angleStep()).isEqualTo(known.angleStep());
    assertThat(notices(resolution(degrees) + flaser(beams), CarmenSettings.defaults())).isEmpty();
  }

  /**
   * In radians; of a whole turn and more; no number; of a laser that has its beams twice; of one of
   * which each second was left out.
   */
  @ParameterizedTest
  @CsvSource({
    "180, 0.0174533",
    "180, 0.5",
    "541, 1",
    "361, 1",
    "1081, 0.5",
    "180, 0",
    "180, -1",
    "91, 0.1",
    "181, none",
  })
  void passesOverAParameterThatCannotBe(int beams, String degrees) throws IOException {
    Scan without = scan(beams, CarmenSettings.defaults());

    Scan with = scan(resolution(degrees) + flaser(beams), CarmenSettings.defaults());

    assertThat(with.startAngle()).isEqualTo(without.startAngle());
    assertThat(with.angleStep()).isEqualTo(without.angleStep());
  }

  @Test
  void isWhatTheSettingSaysWhateverTheParameterSays() throws IOException {
    Scan scan = scan(resolution("1") + flaser(270), degrees("180"));

    assertThat(Math.toDegrees(scan.startAngle())).isCloseTo(-90, within(1e-9));
  }

  @Test
  void saysWhyAParameterIsNotBelievedOrWhyItIsThoughItAstonishes() throws IOException {
    CarmenSettings defaults = CarmenSettings.defaults();

    assertThat(notices(resolution("1") + flaser(270), defaults)).isEmpty();
    assertThat(notices(resolution("0.9") + flaser(400), defaults))
        .containsExactly(
            "FLASER lines do not tell their field of view: for those of 400 beams (1 lines) 359.1"
                + " degrees are taken, as PARAM laser_front_laser_resolution says, though lasers"
                + " with so many beams have them by 0.2500 degrees; if it is another, say so by"
                + " --set carmen.flaserDegrees=...");
    assertThat(notices(resolution("0.5") + flaser(180), defaults))
        .containsExactly(
            "FLASER lines do not tell their field of view: for those of 180 beams (1 lines) 179.0"
                + " degrees are taken, as lasers with so many beams have, and not by the 0.5 of"
                + " PARAM laser_front_laser_resolution, by which they would look over 90.00 degrees"
                + " in all; if it is another, say so by --set carmen.flaserDegrees=...");
    assertThat(notices(resolution("0.0175") + flaser(180), defaults))
        .containsExactly(
            "FLASER lines do not tell their field of view: for those of 180 beams (1 lines) 179.0"
                + " degrees are taken, as lasers with so many beams have, and not by the 0.0175 of"
                + " PARAM laser_front_laser_resolution, by which they would look over 3.150 degrees"
                + " in all; if it is another, say so by --set carmen.flaserDegrees=...");
  }

  @Test
  void saysWhatItTookForGrantedAndWhichSettingChangesIt() throws IOException {
    String log = flaser(541) + flaser(640) + flaser(640) + flaser(180) + "FLASER 7 1 2\n";

    assertThat(notices(log, CarmenSettings.defaults()))
        .containsExactly(
            "FLASER lines do not tell their field of view: for those of 640 beams (2 lines) 180.0"
                + " degrees are taken, which is a guess; if it is another, say so by --set"
                + " carmen.flaserDegrees=...",
            "FLASER lines do not tell their field of view: for those of 180 beams (1 lines) 179.0"
                + " degrees are taken, as a SICK LMS with so many beams has; if it is another, say"
                + " so by --set carmen.flaserDegrees=...",
            "FLASER lines do not tell their field of view: for those of 541 beams (1 lines) 270.0"
                + " degrees are taken, as a SICK LMS1xx or a Hokuyo UTM has by 0.5 degrees; if it"
                + " is another, say so by --set carmen.flaserDegrees=...");
  }

  @ParameterizedTest
  @CsvSource({
    "360, '179.5 degrees are taken, as a SICK LMS has by 0.5 degrees, though an LDS-01'",
    "400, '99.75 degrees are taken, as a SICK LMS has by 0.25 degrees, though an RPLIDAR'",
  })
  void saysForWhatItTookALaserThatMayLookAllAround(int beams, String taken) throws IOException {
    assertThat(notices(flaser(beams), CarmenSettings.defaults()))
        .singleElement(as(STRING))
        .contains("those of " + beams + " beams (1 lines) " + taken, "carmen.flaserDegrees");
    assertThat(notices(flaser(beams), degrees("360"))).isEmpty();
  }

  @Test
  void saysNothingWhereTheSettingSaysIt() throws IOException {
    assertThat(notices(flaser(180), degrees("270"))).isEmpty();
    assertThat(notices(flaser(541), degrees("270"))).isEmpty();
  }

  @Test
  void countsWhatIsTooMuchToName() throws IOException {
    String log = flaser(5) + flaser(6) + flaser(7) + flaser(8) + flaser(9);

    assertThat(notices(log, CarmenSettings.defaults()))
        .hasSize(4)
        .last()
        .isEqualTo("the same of 2 other numbers of beams");
  }

  @Test
  void saysWhenTheSettingChangesNothing() throws IOException {
    assertThat(notices(ROBOTLASER, degrees("270")))
        .containsExactly(
            "carmen.flaserDegrees changes nothing: the log has no readable FLASER lines");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.712", "0.1", "9.99"})
  void refusesAFieldOfViewThatIsInRadians(String value) {
    assertThatThrownBy(() -> degrees(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "carmen.flaserDegrees: "
                + value
                + " degrees are no laser's field of view; it must be from 10 to 360 degrees (not"
                + " radians), or 0 for what the number of beams stands for");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-180", "361", "NaN"})
  void refusesAFieldOfViewThatNoLaserCanHave(String value) {
    assertThatThrownBy(() -> degrees(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(value)
        .hasMessageContaining("from 0 to 360 degrees");
  }
}
