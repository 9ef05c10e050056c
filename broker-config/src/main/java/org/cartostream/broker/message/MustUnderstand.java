package org.cartostream.broker.message;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field of a message without which the rest would be misunderstood: whoever does not know
 * it refuses the message. Other fields that it does not know a receiver skips.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface MustUnderstand {}
