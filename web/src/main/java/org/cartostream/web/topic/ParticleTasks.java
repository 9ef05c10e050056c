package org.cartostream.web.topic;

import java.util.List;

/**
 * Which task weighed each particle of the message with particles before.
 *
 * @param tasks from 0, in the order of the particles
 */
public record ParticleTasks(List<Integer> tasks) {}
