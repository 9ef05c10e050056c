package org.cartostream.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests that {@code scripts/test} runs beside the quick ones: one class, or part of one, for each
 * kind of real server, process, file or peer.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("default")
@net.jqwik.api.Tag("default")
public @interface Default {

  /**
   * True if the class computes for minutes: it then runs by the optimising compiler and at low
   * priority.
   */
  boolean computes() default false;

  /** True if the class starts a cluster of processes: one such class runs at a time. */
  boolean cluster() default false;
}
