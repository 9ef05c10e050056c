package org.cartostream.slam.geometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class SymmetricMatrix3Test {

  /** [[4, 2, 0], [2, 5, 2], [0, 2, 5]] = L Lᵀ with L = [[2, 0, 0], [1, 2, 0], [0, 1, 2]]. */
  private static final SymmetricMatrix3 KNOWN = new SymmetricMatrix3(4, 2, 0, 5, 2, 5);

  @Test
  void factorsAMatrixWorkedOutByHand() {
    assertThat(KNOWN.cholesky()).isEqualTo(new SymmetricMatrix3.Cholesky(2, 1, 2, 0, 1, 2));
    assertThat(KNOWN.determinant()).isEqualTo(64);
    assertThat(KNOWN.quadratic(1, 2, 3)).isEqualTo(101);
    SymmetricMatrix3 inverse = KNOWN.inverse(); // Of the cofactors, by 64.
    assertThat(inverse.times(64)).isEqualTo(new SymmetricMatrix3(21, -10, 4, 20, -8, 16));
  }

  @Property
  void solutionSolves(
      @ForAll @DoubleRange(min = -9, max = 9) double x,
      @ForAll @DoubleRange(min = -9, max = 9) double y,
      @ForAll @DoubleRange(min = -9, max = 9) double t) {
    double[] v = KNOWN.cholesky().solve(x, y, t);

    double[] back = KNOWN.times(v[0], v[1], v[2]);

    assertThat(back[0]).isCloseTo(x, within(1e-9));
    assertThat(back[1]).isCloseTo(y, within(1e-9));
    assertThat(back[2]).isCloseTo(t, within(1e-9));
  }

  @Property
  void informationOfASumInvertsTheSumOfTheInverses(
      @ForAll @DoubleRange(min = -9, max = 9) double x,
      @ForAll @DoubleRange(min = -9, max = 9) double y,
      @ForAll @DoubleRange(min = -9, max = 9) double t,
      @ForAll @DoubleRange(min = 0.1, max = 9) double size) {
    SymmetricMatrix3 other = new SymmetricMatrix3(3 + size, -1, 0.5, 2 * size + 1, 0.2, 7);

    double[] v = KNOWN.inSeriesWith(other).times(x, y, t);

    double[] a = KNOWN.cholesky().solve(v[0], v[1], v[2]);
    double[] b = other.cholesky().solve(v[0], v[1], v[2]);
    assertThat(a[0] + b[0]).isCloseTo(x, within(1e-9));
    assertThat(a[1] + b[1]).isCloseTo(y, within(1e-9));
    assertThat(a[2] + b[2]).isCloseTo(t, within(1e-9));
  }

  /** By the definition: A M Aᵀ, whose rows are what the axes become. */
  @Property
  void turnedAndCarriedAreWhatTheirMatricesMakeOfIt(
      @ForAll @DoubleRange(min = -4, max = 4) double radians,
      @ForAll @DoubleRange(min = -9, max = 9) double x,
      @ForAll @DoubleRange(min = -9, max = 9) double y) {
    double cos = Math.cos(radians);
    double sin = Math.sin(radians);
    assertTransformed(
        KNOWN.turned(radians), new double[][] {{cos, -sin, 0}, {sin, cos, 0}, {0, 0, 1}});
    assertTransformed(KNOWN.carried(x, y), new double[][] {{1, 0, -y}, {0, 1, x}, {0, 0, 1}});
  }

  private static void assertTransformed(SymmetricMatrix3 actual, double[][] rows) {
    double[] entries = {
      actual.xx(), actual.xy(), actual.xt(), actual.yy(), actual.yt(), actual.tt()
    };
    int k = 0;
    for (int i = 0; i < rows.length; i++) {
      for (int j = i; j < rows.length; j++) {
        double[] m = KNOWN.times(rows[j][0], rows[j][1], rows[j][2]);
        double expected = rows[i][0] * m[0] + rows[i][1] * m[1] + rows[i][2] * m[2];
        assertThat(entries[k++]).isCloseTo(expected, within(1e-9));
      }
    }
  }

  @Test
  void whatTellsNothingTellsNothingOfASum() {
    SymmetricMatrix3 nothing = new SymmetricMatrix3(0, 0, 0, 0, 0, 0);
    assertThat(nothing.inSeriesWith(KNOWN).quadratic(1, 2, 3)).isCloseTo(0, within(1e-12));
  }

  @Property
  void drawIsAsFarOutAsItsNormalNumbers(
      @ForAll @DoubleRange(min = -3, max = 3) double x,
      @ForAll @DoubleRange(min = -3, max = 3) double y,
      @ForAll @DoubleRange(min = -3, max = 3) double t) {
    double[] v = KNOWN.cholesky().solveTransposed(x, y, t);

    // vᵀ M v is the squared Mahalanobis distance of the draw, |(x, y, t)|².
    assertThat(KNOWN.quadratic(v[0], v[1], v[2])).isCloseTo(x * x + y * y + t * t, within(1e-9));
  }

  @Property
  void noDirectionHasNegativeCurvatureOnceItIsTakenOut(
      @ForAll @DoubleRange(min = -9, max = 9) double a,
      @ForAll @DoubleRange(min = -9, max = 9) double b,
      @ForAll @DoubleRange(min = -9, max = 9) double c,
      @ForAll @DoubleRange(min = -9, max = 9) double d,
      @ForAll @DoubleRange(min = -9, max = 9) double e,
      @ForAll @DoubleRange(min = -9, max = 9) double f) {
    SymmetricMatrix3 cured = new SymmetricMatrix3(a, b, c, d, e, f).withoutNegativeCurvature();

    for (int i = 0; i < 27; i++) {
      assertThat(cured.quadratic(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)).isGreaterThan(-1e-9);
    }
  }

  @Test
  void leavesAPositiveMatrixAsItIs() {
    assertThat(KNOWN.withoutNegativeCurvature()).isEqualTo(KNOWN);
  }

  @Test
  void refusesToFactorAnIndefiniteMatrix() {
    assertThatThrownBy(() -> new SymmetricMatrix3(1, 2, 0, 1, 0, 1).cholesky())
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("not positive definite");
  }
}
