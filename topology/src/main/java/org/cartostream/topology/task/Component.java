package org.cartostream.topology.task;

import java.util.ArrayList;
import java.util.List;

/**
 * The kinds of component in the topology, as types.
 *
 * <p>{@code Stream}s name the components that they connect, and a bolt names the component that it
 * implements; so the compiler knows which streams a bolt may read and write.
 */
public sealed interface Component {

  /**
   * The component that takes the robots' readings from the broker and admits them to the filters in
   * order.
   */
  non-sealed interface Dispatcher extends Component {}

  /** Components that save and restore their state of a run at the dispatcher's request. */
  sealed interface Restorable extends Component {}

  /** The tasks that hold the particles. */
  non-sealed interface Matchers extends Restorable {}

  /**
   * The component that decides, from all weights, which particles of a robot survive, and on which
   * tasks.
   */
  non-sealed interface Resampler extends Restorable {}

  /** The component that sends answers, poses and maps to the robots. */
  non-sealed interface Publisher extends Restorable {}

  /** Returns Storm's name of a component. */
  static String nameOf(Class<? extends Component> component) {
    return component.getSimpleName();
  }

  /**
   * Returns Storm's names of all components of a kind: the kind itself, or the kinds that it
   * comprises.
   */
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
