package org.cartostream.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class LiveListenerPairTest {

  private static final Map<Class<?>, Object> VALUES =
      Map.of(boolean.class, true, int.class, 1, long.class, 1L);

  private final List<String> calls = new ArrayList<>();

  private LiveListener noting(String name) {
    return (LiveListener)
        Proxy.newProxyInstance(
            LiveListener.class.getClassLoader(),
            new Class<?>[] {LiveListener.class},
            (proxy, method, arguments) -> {
              calls.add(name + method.getName());
              return null;
            });
  }

  @Test
  void bothAreToldAllTheFirstOneFirst() throws Exception {
    LiveListenerPair pair = new LiveListenerPair(noting("1 "), noting("2 "));
    Method[] methods = LiveListener.class.getMethods();
    assertThat(methods.length).isGreaterThan(10);
    for (Method method : methods) {
      calls.clear();
      Object[] arguments =
          Arrays.stream(method.getParameterTypes()).map(VALUES::get).toArray(); // Objects are null.
      method.invoke(pair, arguments);
      assertThat(calls).containsExactly("1 " + method.getName(), "2 " + method.getName());
    }
  }
}
