package org.cartostream.broker.message;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Annotation of a message's field without which the rest would be misunderstood: a receiver that
 * does not know the field refuses the message. A receiver skips other fields that it does not know.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface MustUnderstand {}
