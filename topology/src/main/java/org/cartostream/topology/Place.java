package org.cartostream.topology;

import org.apache.storm.task.TopologyContext;

/**
 * Where a component runs.
 *
 * @param task this task's number among its component's, from 0
 * @param matchers how many tasks hold particles
 */
record Place(int task, int matchers) {

  private static final String TAKEN_BY = "org.cartostream.task";

  /**
   * The place of a task that has its executor (its thread) to itself.
   *
   * @throws IllegalStateException if another task has it already: two partitions would then work
   *     one after the other while all the rest wait for both
   */
  static Place alone(TopologyContext context) {
    Object other = context.getExecutorData(TAKEN_BY);
    if (other != null) {
      throw new IllegalStateException(
          context.getThisComponentId()
              + " has fewer executors than tasks: tasks "
              + other
              + " and "
              + context.getThisTaskId()
              + " share one; give each its own");
    }
    context.setExecutorData(TAKEN_BY, context.getThisTaskId());
    int matchers = context.getComponentTasks(Party.component(Party.Matchers.class)).size();
    return new Place(context.getThisTaskIndex(), matchers);
  }
}
