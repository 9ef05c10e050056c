package org.cartostream.topology.task;

/**
 * The kinds of component in the topology, as types.
 *
 * <p>{@code Stream}s name the two components that they join, and a bolt names the one that it is;
 * so the compiler knows which streams a bolt may read and write.
 */
public sealed interface Component {

  /** The robots, as far as the topology sees them: their messages come from here. */
  non-sealed interface Robots extends Component {}

  /** Admits each robot's readings to its filter, one at a time. */
  non-sealed interface Dispatcher extends Component {}

  /** The tasks that hold the particles. */
  non-sealed interface Matchers extends Component {}

  /** Weighs all particles of a robot and decides which go on, and where. */
  non-sealed interface Resampler extends Component {}

  /** Answers the robots. */
  non-sealed interface Publisher extends Component {}

  /** Storm's name for the component. */
  static String nameOf(Class<? extends Component> component) {
    return component.getSimpleName();
  }
}
