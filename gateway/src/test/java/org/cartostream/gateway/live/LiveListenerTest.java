package org.cartostream.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class LiveListenerTest {

  private static final Map<Class<?>, Object> VALUES =
      Map.of(boolean.class, true, int.class, 1, long.class, 1L);

  private final List<String> calls = new ArrayList<>();

  private LiveListener noting(String name) {
    return listener(
        (proxy, method, arguments) -> {
          calls.add(name + method.getName());
          return null;
        });
  }

  private static LiveListener listener(InvocationHandler handler) {
    return (LiveListener)
        Proxy.newProxyInstance(
            LiveListener.class.getClassLoader(), new Class<?>[] {LiveListener.class}, handler);
  }

  @Test
  void bothAreToldAllTheFirstOneFirst() throws Exception {
    LiveListener pair = LiveListener.both(noting("1 "), noting("2 "));
    Method[] methods = LiveListener.class.getMethods();
    assertThat(methods.length).isGreaterThan(10);
    for (Method method : methods) {
      if (Modifier.isStatic(method.getModifiers())) {
        continue;
      }
      calls.clear();
      Object[] arguments =
          Arrays.stream(method.getParameterTypes()).map(VALUES::get).toArray(); // Objects are null.
      method.invoke(pair, arguments);
      assertThat(calls).containsExactly("1 " + method.getName(), "2 " + method.getName());
    }
  }

  @Test
  void whatOneOfThemThrowsIsThrown() {
    IOException full = new IOException("the disk is full");
    LiveListener failing =
        listener(
            (proxy, method, arguments) -> {
              throw full;
            });
    LiveListener pair = LiveListener.both(failing, noting("2 "));
    assertThatThrownBy(() -> pair.onEnd(null, List.of())).isSameAs(full);
    assertThat(calls).isEmpty();
  }
}
