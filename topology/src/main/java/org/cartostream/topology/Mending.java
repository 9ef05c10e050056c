package org.cartostream.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.Mode;

/**
 * Has a run go on when something of it was lost with a process that died or behind a link that was
 * cut: with copies of the particles that are left. What they weighed against each other is
 * forgotten: they begin alike again.
 *
 * <ol>
 *   <li>All tasks are asked whether they have something of the run. A task that is slow answers
 *       when it is done; one that has died does not, and its successor has nothing.
 *   <li>If one has nothing, or something else is lost, all are asked to end the open key frames
 *       without it: each particle that is left takes in the scan at the pose that it has.
 *   <li>Each lost particle becomes a copy of one that is left, in turn, and belongs to the task
 *       with the most room; the maps travel whole. The publisher is told, so that the paths go on
 *       with them.
 *   <li>When all tasks have their particles, the open readings are done. If one dies before, with
 *       particles that were left, its successor says so, and it goes on at the second step with
 *       what is left then.
 * </ol>
 *
 * <p><b>How it shows that something is lost</b> though all have their particles. In {@link
 * Mode#DATAFLOW} the answers come behind marks, which follow all that was on its way: from the
 * matchers to the resampler, from there to the matchers, and from each matcher to the others
 * (Chandy and Lamport, 1985, section 3: a marker on each channel). Those tasks that were asked at
 * the earliest key frame have by then all that they need for the next, for every task had been told
 * of it before it was asked. If they have not come further, what they needed was lost. However slow
 * somebody is, the marks wait for him; so time decides nothing. In {@link Mode#BSP} the collective
 * call that failed is the proof. In either, what one task writes for another stays in its order: so
 * a key frame that a task has not been given when it is asked was lost; and when all answer that
 * they are done, and a word that one was done has not come, that word was lost.
 *
 * <p>Owns the answers. A task may have been given a verdict that others were not, if who told them
 * died in between; the particles of those who were not are counted as lost, for they go by other
 * numbers. If nobody who is left was given it, but the publisher was (as when the task that was
 * dies next), they go on by the numbers that they know, and the path that the publisher has of each
 * is another's until that key frame: of its cloud, but not its own. To end the run would lose more.
 * Questions are asked again until all have answered; the bound is the reading's.
 */
final class Mending {

  private enum Phase {
    ASKING,
    SETTLING,
    GATHERING,
    DONE
  }

  private final Run run;
  private final int particles;
  private int generation;
  private final List<Step> open;
  private final boolean marked;
  private final DispatcherOutputs voice;
  private final Payload.Present[] answers;
  private final boolean[] reborn;

  /** The key frames on which no task had heard a verdict, so that the one given is from here. */
  private final Set<Long> settled = new HashSet<>();

  private long round;
  private Payload.Rebirth rebirth;
  private Phase phase = Phase.ASKING;
  private boolean insists;

  /** Why it cannot be done, for people; empty while it may. */
  private String hopeless = "";

  /**
   * @param round of questions, greater than any before in this run
   * @param generation how often the run has begun again, this time included
   * @param open the key frames that are being processed, at least one
   * @param marked whether answers come behind all that was on its way
   */
  Mending(
      Run run,
      int particles,
      int matchers,
      long round,
      int generation,
      List<Step> open,
      boolean marked,
      DispatcherOutputs voice) {
    this.run = run;
    this.particles = particles;
    this.round = round;
    this.generation = generation;
    this.open = List.copyOf(open);
    this.marked = marked;
    this.voice = voice;
    this.answers = new Payload.Present[matchers];
    this.reborn = new boolean[matchers];
  }

  /** Asks, or tells, again: what goes to a process that is just starting may be lost. */
  void ask() {
    if (phase == Phase.ASKING) {
      voice.rollCalls.emit(new Payload.RollCall(run, round, new Step[0]));
    } else if (phase == Phase.SETTLING) {
      voice.rollCalls.emit(new Payload.RollCall(run, round, open.toArray(new Step[0])));
    } else if (phase == Phase.GATHERING) {
      voice.reborn(rebirth);
    }
  }

  /** How often the run has begun again when it is done. */
  int generation() {
    return generation;
  }

  /** The latest round of questions. */
  long round() {
    return round;
  }

  /** Why the run cannot go on; empty while it may. */
  String hopeless() {
    return hopeless;
  }

  /** True if nothing has been done yet: the tasks were only asked. */
  boolean isAsking() {
    return phase == Phase.ASKING;
  }

  /** True if particles are on their way. */
  boolean isGathering() {
    return phase == Phase.GATHERING;
  }

  /** True if all tasks have answered, and nothing is lost. */
  boolean isNothingLost() {
    return phase == Phase.ASKING && haveAllAnswered() && !isSomethingLost();
  }

  private boolean haveAllAnswered() {
    return Stream.of(answers).allMatch(each -> each != null);
  }

  private boolean isSomethingLost() {
    return insists
        || !Stream.of(answers).allMatch(Payload.Present::holds)
        || least(Payload.Present::given) < last().sequence()
        || least(Payload.Present::done) >= last().sequence()
        || isStuck();
  }

  /** True if those that are behind have not come further by what was on its way. */
  private boolean isStuck() {
    return marked && least(Payload.Present::done) == least(Payload.Present::doneBefore);
  }

  private long least(ToLongFunction<Payload.Present> number) {
    return Stream.of(answers).mapToLong(number).min().orElseThrow();
  }

  private Step last() {
    return open.get(open.size() - 1);
  }

  /** True if the run can go on. */
  boolean isDone() {
    return phase == Phase.DONE;
  }

  /** A task has answered. */
  void heard(Payload.Present answer) {
    if (answer.round() != round) {
      return;
    }
    if (phase == Phase.GATHERING && !answer.holds() && rebirth.hasLeftOn(answer.task())) {
      generation++; // Some may go on already as they were told.
      askToSettle();
    } else if (isAsking() || phase == Phase.SETTLING) {
      answers[answer.task()] = answer;
      goOn();
    }
  }

  /** It is known that something is lost. */
  void insist() {
    insists = true;
    goOn();
  }

  private void goOn() {
    if (!haveAllAnswered()) {
      return;
    }
    if (phase == Phase.SETTLING) {
      bearAgain();
    } else if (phase == Phase.ASKING && isSomethingLost()) {
      settle();
    }
  }

  private void settle() {
    if (Stream.of(answers).noneMatch(Payload.Present::holds)) {
      hopeless = "All particles were lost, as when all processes die";
    } else if (open.get(0).first()) {
      hopeless = "Something was lost at the run's first reading, as when a process dies";
    } else {
      askToSettle();
    }
  }

  private void askToSettle() {
    phase = Phase.SETTLING;
    round++;
    Arrays.fill(answers, null);
    Arrays.fill(reborn, false);
    ask();
  }

  private void bearAgain() {
    Set<Long> judged = judged();
    List<Payload.Present> left =
        Stream.of(answers).filter(answer -> answer.holds() && agrees(answer, judged)).toList();
    int[] before = new int[particles];
    Arrays.fill(before, -1);
    left.forEach(task -> Arrays.stream(task.particles()).forEach(i -> before[i] = task.task()));
    int[] alive = IntStream.range(0, particles).filter(i -> before[i] >= 0).toArray();
    if (alive.length == 0) {
      hopeless = "All particles were lost, as when all processes die";
      return;
    }
    int[] parents = parents(before, alive);
    for (Step step : open) {
      if (!judged.contains(step.sequence())) {
        settled.add(step.sequence());
        voice.settled.emit(judgement(step.sequence(), left, parents, alive));
      }
    }
    phase = Phase.GATHERING;
    rebirth = new Payload.Rebirth(run, round, generation, last(), parents, before, owners(before));
    voice.publisherRebirths.emit(rebirth);
    ask();
  }

  /** The open key frames on which a task has heard a verdict. */
  private Set<Long> judged() {
    Set<Long> judged = new HashSet<>();
    for (Payload.Present answer : answers) {
      if (answer.holds()) {
        Set<Long> mine = new HashSet<>(open.stream().map(Step::sequence).toList());
        mine.removeAll(unjudged(answer));
        judged.addAll(mine);
      }
    }
    return judged;
  }

  private static Set<Long> unjudged(Payload.Present answer) {
    Set<Long> unjudged = new HashSet<>();
    Stream.of(answer.unjudged())
        .forEach(particleWeights -> unjudged.add(particleWeights.sequence()));
    return unjudged;
  }

  /**
   * True if its particles go by the same numbers. What was settled here renumbered none that was
   * left: a task that has begun again with it goes together with one that has not yet.
   */
  private boolean agrees(Payload.Present answer, Set<Long> judged) {
    return unjudged(answer).stream()
        .filter(sequence -> !settled.contains(sequence))
        .noneMatch(judged::contains);
  }

  /** Those that were lost are copies of the others in turn. */
  private static int[] parents(int[] before, int[] alive) {
    int[] parents = new int[before.length];
    int next = 0;
    for (int i = 0; i < parents.length; i++) {
      parents[i] = before[i] >= 0 ? i : alive[next++ % alive.length];
    }
    return parents;
  }

  /** Who is left stays where it is; the others go where there is most room. */
  private int[] owners(int[] before) {
    int[] room = Assignment.places(particles, answers.length);
    int[] owners = before.clone();
    Arrays.stream(before).filter(task -> task >= 0).forEach(task -> room[task]--);
    for (int i = 0; i < owners.length; i++) {
      if (owners[i] < 0) {
        int most = 0;
        for (int task = 1; task < room.length; task++) {
          most = room[task] > room[most] ? task : most;
        }
        owners[i] = most;
        room[most]--;
      }
    }
    return owners;
  }

  /** As if all had gone on as themselves; the best is the one that the scan fits best. */
  private Payload.ResamplingResult judgement(
      long sequence, List<Payload.Present> left, int[] parents, int[] alive) {
    List<ParticleWeights> parts = new ArrayList<>();
    for (Payload.Present task : left) {
      Stream.of(task.unjudged()).filter(b -> b.sequence() == sequence).forEach(parts::add);
    }
    ParticleWeights all = ParticleWeights.withLostReplaced(parents, parts);
    int best = alive[0];
    for (int i : alive) {
      best = all.logLikelihoods()[i] > all.logLikelihoods()[best] ? i : best;
    }
    int[] themselves = IntStream.range(0, particles).toArray();
    Resampling none =
        new Resampling(
            sequence, false, themselves, alive.length, StrictMath.log(alive.length), best);
    return new Payload.ResamplingResult(run, all, none, 0);
  }

  /** A task has its particles again. */
  void heard(Payload.Reborn answer) {
    if (phase == Phase.GATHERING && answer.round() == round) {
      reborn[answer.task()] = true;
      if (IntStream.range(0, reborn.length).allMatch(task -> reborn[task])) {
        phase = Phase.DONE;
      }
    }
  }
}
