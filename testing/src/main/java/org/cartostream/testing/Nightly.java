package org.cartostream.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests that {@code scripts/test --nightly} runs: many seeds, all kill cases, long drives. CI runs
 * a slice of them. On a method of a {@link Default} class it keeps that method for the night.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("nightly")
@net.jqwik.api.Tag("nightly")
public @interface Nightly {

  /**
   * Returns true if it computes for minutes: it runs by the optimising compiler then, and yields to
   * others.
   */
  boolean computes() default false;

  /** Returns true if it starts a cluster of processes: there is one such at a time. */
  boolean cluster() default false;
}
