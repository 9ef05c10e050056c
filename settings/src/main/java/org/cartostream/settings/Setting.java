package org.cartostream.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Annotation of a component of a settings record: its default, unit, bounds and meaning. The
 * command line reads the annotation to parse the configuration file and {@code --set}, to check
 * values at start and to print the help; {@link Settings} reads it to build the defaults.
 *
 * <p>A setting's key is the component's name behind the path of its records: {@code
 * matcher.stepMetres}.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Setting {

  /** The default, written as a user would write it. Empty for a nested settings record. */
  String value() default "";

  /** The unit, or "" for a count or a choice. */
  String unit() default "";

  /** Smallest value allowed. */
  double min() default Double.NEGATIVE_INFINITY;

  /** Largest value allowed. */
  double max() default Double.POSITIVE_INFINITY;

  /** One sentence that says what the setting does, for the help and the configuration file. */
  String description();
}
