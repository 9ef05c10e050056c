package org.cartostream.web.topic;

import java.util.List;

/**
 * Numbers of the tasks that weighed the particles of the {@link Topic#PARTICLES} message just
 * before, for viewers that colour particles by task.
 *
 * @param tasks number of each particle's task, from 0, in the order of the particles
 */
public record ParticleTasks(List<Integer> tasks) {}
