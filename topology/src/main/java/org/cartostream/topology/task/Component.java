package org.cartostream.topology.task;

/**
 * The kinds of party that talk to each other in the topology.
 *
 * <p>A party is only a type. {@code Stream}s name the two that they join, and a bolt names the one
 * that it plays; so the compiler knows which streams a bolt may read and write.
 */
public sealed interface Component {

  /** The robots, as far as the topology sees them: what they say comes from here. */
  non-sealed interface Robots extends Component {}

  /** Admits each robot's readings to its filter, one at a time. */
  non-sealed interface Dispatcher extends Component {}

  /** The tasks that hold the particles. */
  non-sealed interface Matchers extends Component {}

  /** Weighs all particles of a robot and says which go on, and where. */
  non-sealed interface Resampler extends Component {}

  /** Answers the robots. */
  non-sealed interface Publisher extends Component {}

  /** The name under which Storm knows the party's component. */
  static String nameOf(Class<? extends Component> party) {
    return party.getSimpleName();
  }
}
