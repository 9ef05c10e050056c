package org.cartostream.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests that {@code scripts/test --nightly} runs: many seeds, all kill cases, long drives. CI runs
 * a slice of them. A method with this annotation in a {@link Default} class is nightly alone.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("nightly")
@net.jqwik.api.Tag("nightly")
public @interface Nightly {

  /**
   * True if the class computes for minutes: it then runs by the optimising compiler and at low
   * priority.
   */
  boolean computes() default false;

  /** True if the class starts a cluster of processes: one such class runs at a time. */
  boolean cluster() default false;
}
