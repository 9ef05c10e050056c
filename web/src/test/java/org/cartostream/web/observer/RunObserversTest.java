package org.cartostream.web.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RunObserversTest {

  private final List<String> heard = new ArrayList<>();

  private final RunObserver well =
      new RunObserver() {
        @Override
        public void begin(String robot, long scans) {
          heard.add(robot + " " + scans);
        }

        @Override
        public void link(String trouble) {
          heard.add(trouble);
        }
      };

  @Test
  void oneThatThrowsIsToldNothingMoreAndTheOthersAre() {
    List<String> broken = new ArrayList<>();
    RunObserver fails =
        new RunObserver() {
          @Override
          public void link(String trouble) {
            broken.add(trouble);
            throw new IllegalStateException("a full disk, say");
          }
        };
    RunObserver all = RunObservers.of(List.of(fails, well));
    all.begin("r1", 7);
    all.link("the broker is away");
    all.link("");
    assertThat(heard).containsExactly("r1 7", "the broker is away", "");
    assertThat(broken).containsExactly("the broker is away");
  }

  @Test
  void noObserversAreNone() {
    assertThat(RunObservers.of(List.of())).isSameAs(RunObserver.NONE);
  }
}
