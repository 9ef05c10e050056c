package org.cartostream.broker;

/** Service to robot: what became of the reading whose number the envelope carries. */
public record OutcomeMessage(Outcome outcome) implements Message {}
