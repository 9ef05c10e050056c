package org.cartostream.bench.golden;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.run.exit.ExitException;

/**
 * Answers of the engines to one case, beside the frozen answer.
 *
 * <p>Owns the answers. One thread enters them, and another may read them afterwards.
 */
final class GoldenResult {

  private final GoldenCase asked;
  private final Map<GoldenEngine, GoldenRuns.Answer> answers = new EnumMap<>(GoldenEngine.class);
  private final List<String> failures = new ArrayList<>();

  public GoldenResult(GoldenCase asked) {
    this.asked = asked;
  }

  public GoldenCase asked() {
    return asked;
  }

  public void add(GoldenEngine engine, GoldenRuns.Answer answer) {
    answers.put(engine, answer);
  }

  /** Notes that an engine has failed. */
  public void fail(GoldenEngine engine, Exception why) {
    String sentence = why instanceof ExitException ? why.getMessage() : why.toString();
    failures.add(asked.name() + ", " + engine + ": " + sentence);
  }

  public Map<GoldenEngine, GoldenRuns.Answer> answers() {
    return answers;
  }

  /**
   * Returns the serial engine's answer, with which the others are compared while no answer is
   * frozen.
   */
  public Optional<GoldenHashes> serial() {
    return Optional.ofNullable(answers.get(GoldenEngine.SERIAL)).map(GoldenRuns.Answer::hashes);
  }

  /** Returns a sentence for each engine that failed, or does not answer as the serial one does. */
  public List<String> disagreements() {
    return serial().map(first -> differences(first, "the serial engine's")).orElse(failures);
  }

  /** Returns a sentence for each engine that failed, or whose answer is not the frozen one. */
  public List<String> changes() {
    return asked
        .hashes()
        .map(frozen -> differences(frozen, "the frozen one"))
        .orElse(
            List.of(asked.name() + ": no answer is frozen yet; scripts/golden --write does it"));
  }

  private List<String> differences(GoldenHashes right, String whose) {
    List<String> sentences = new ArrayList<>(failures);
    answers.forEach(
        (engine, answer) -> {
          String who = asked.name() + ", " + engine + ": the hash of the ";
          GoldenHashes is = answer.hashes();
          add(sentences, who + "trajectory is ", is.trajectory(), right.trajectory(), whose);
          add(sentences, who + "map is ", is.map(), right.map(), whose);
          add(sentences, who + "poses on the way is ", is.live(), right.live(), whose);
        });
    return sentences;
  }

  private static void add(
      List<String> sentences, String what, String is, String right, String whose) {
    if (!is.equals(right)) {
      sentences.add(what + is + ", " + whose + " is " + right);
    }
  }
}
