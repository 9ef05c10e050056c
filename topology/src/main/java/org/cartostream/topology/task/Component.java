package org.cartostream.topology.task;

import java.util.ArrayList;
import java.util.List;

/**
 * The kinds of component in the topology, as types.
 *
 * <p>{@code Stream}s name the components that they join, and a bolt names the one that it is; so
 * the compiler knows which streams a bolt may read and write.
 */
public sealed interface Component {

  /** Takes the robots' readings from the broker and admits each to its filter, one at a time. */
  non-sealed interface Dispatcher extends Component {}

  /** Components whose state of a run the dispatcher has saved and restored. */
  sealed interface Restorable extends Component {}

  /** The tasks that hold the particles. */
  non-sealed interface Matchers extends Restorable {}

  /** Weighs all particles of a robot and decides which go on, and where. */
  non-sealed interface Resampler extends Restorable {}

  /** Answers the robots. */
  non-sealed interface Publisher extends Restorable {}

  /** Storm's name for the component. */
  static String nameOf(Class<? extends Component> component) {
    return component.getSimpleName();
  }

  /** Storm's names for all components of a kind: its own, or those of the kinds within it. */
  static List<String> namesOf(Class<? extends Component> kind) {
    if (!kind.isSealed()) {
      return List.of(nameOf(kind));
    }
    List<String> names = new ArrayList<>();
    for (Class<?> each : kind.getPermittedSubclasses()) {
      names.addAll(namesOf(each.asSubclass(Component.class)));
    }
    return names;
  }
}
