package org.cartostream.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests that {@code scripts/test} runs beside the quick ones: one class, or part of one, for each
 * seam to a real server, process, file or peer.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("default")
@net.jqwik.api.Tag("default")
public @interface Default {

  /**
   * Returns true if it computes for minutes: it runs by the optimising compiler then, and yields to
   * others.
   */
  boolean computes() default false;

  /** Returns true if it starts a cluster of processes: there is one such at a time. */
  boolean cluster() default false;
}
