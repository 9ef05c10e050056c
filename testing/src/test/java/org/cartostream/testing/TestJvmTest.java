package org.cartostream.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherFactory;

/** Counts are those that a reader of the sample classes comes to. */
@Quick
class TestJvmTest {

  @Default
  static class OfTwoEngines {

    @Test
    void passes() {}

    @Test
    void breaks() {
      fail("as it should");
    }

    @Test
    @Disabled("for good")
    void isOff() {}

    @Nightly
    @Test
    void isLeftToTheNight() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void twoOfThree(int number) {
      assumeTrue(number > 1, "too small");
    }

    @Property
    void holds(@ForAll int any) {
      assertThat(-(long) any).isEqualTo(0L - any);
    }

    @Nightly
    @Example
    void holdsByNight() {}
  }

  @Quick
  static class WithoutItsServer {

    @BeforeAll
    static void start() {
      assumeTrue(false, "no server here");
    }

    @Test
    void one() {}

    @Test
    void two() {}
  }

  @Quick
  static class ThatCannotStart {

    @BeforeAll
    static void start() {
      fail("no start");
    }

    @Test
    void one() {}
  }

  private static ClassResult run(Class<?> type, TestGroup group) {
    return TestJvm.run(LauncherFactory.create(), type.getName(), group);
  }

  @Test
  void countsTheTestsOfBothEnginesThatBelongToTheGroup() {
    ClassResult result = run(OfTwoEngines.class, TestGroup.DEFAULT);
    assertThat(result.tests()).isEqualTo(7);
    assertThat(result.failures())
        .singleElement()
        .asString()
        .contains("breaks()", "as it should", "TestJvmTest.java");
    assertThat(result.skipped()).hasSize(2).anyMatch(each -> each.contains("too small"));
    assertThat(result.skipped()).anyMatch(each -> each.contains("for good"));
    ClassResult night = run(OfTwoEngines.class, TestGroup.NIGHTLY);
    assertThat(night.tests()).isEqualTo(2);
    assertThat(night.failed()).isFalse();
    assertThat(run(OfTwoEngines.class, TestGroup.QUICK).tests()).isZero();
  }

  @Test
  void countsTheTestsOfAClassThatIsSkippedAsAWhole() {
    ClassResult result = run(WithoutItsServer.class, TestGroup.QUICK);
    assertThat(result.tests()).isEqualTo(2);
    assertThat(result.skipped()).hasSize(2).allMatch(each -> each.contains("no server here"));
    assertThat(result.failed()).isFalse();
  }

  @Test
  void aClassThatCannotStartHasFailed() {
    assertThat(run(ThatCannotStart.class, TestGroup.QUICK).failures()).hasSize(1);
  }

  @Test
  void aResultIsReadAsItWasWritten() throws IOException {
    ClassResult result = run(OfTwoEngines.class, TestGroup.DEFAULT);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    result.write(new DataOutputStream(bytes));
    assertThat(ClassResult.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
        .isEqualTo(result);
  }
}
