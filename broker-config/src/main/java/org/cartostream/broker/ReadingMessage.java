package org.cartostream.broker;

import org.cartostream.slam.sensor.Reading;

/** Robot to service: one reading. It crosses bit for bit, so that every engine sees the same. */
public record ReadingMessage(Reading reading) implements Message {}
