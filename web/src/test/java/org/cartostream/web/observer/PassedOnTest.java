package org.cartostream.web.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.cartostream.testing.Quick;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All that a run tells has a default that does nothing: who passes it on must leave out none. */
@Quick
class PassedOnTest {

  private static final Set<String> QUESTIONS = Set.of("drawingShare", "unwritten");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "observer.BufferedObserver",
        "observer.RunObservers",
        "recording.McapRecording",
        "topic.RunTopics",
        "state.ObservedRun"
      })
  void itTakesAllThatARunTells(String name) throws Exception {
    Class<?> observer = Class.forName("org.cartostream.web." + name);
    Set<String> taken =
        Arrays.stream(observer.getDeclaredMethods())
            .map(each -> each.getName())
            .collect(Collectors.toSet());
    assertThat(RunObserver.class.getDeclaredMethods())
        .extracting(each -> each.getName())
        .filteredOn(each -> !QUESTIONS.contains(each))
        .contains("outcome", "particles")
        .allMatch(taken::contains);
  }
}
