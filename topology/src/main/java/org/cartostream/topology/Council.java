package org.cartostream.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.cartostream.slam.filter.Ancestry;
import org.cartostream.slam.filter.Beliefs;
import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Resampler;
import org.cartostream.slam.filter.Resampling;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.assignment.Balance;

/**
 * Hears all tasks about a key frame of one run, and then decides. A pure function of what it hears:
 * councils that hear the same decide the same.
 *
 * <p>Owns the run's {@link Resampler}, the tasks' {@link Balance} and the knowledge of which task
 * has which particle, and which ancestors' maps.
 */
final class Council {

  /**
   * What was decided, and what was believed.
   *
   * @param owners task of each new particle
   * @param moves the particles that change tasks
   * @param nanos how long it took to decide, nanoseconds
   */
  record Decision(Beliefs all, Resampling resampling, int[] owners, Move[] moves, long nanos) {

    /** What the publisher is told of it. */
    Payload.Judgement judgement(Run run) {
      return new Payload.Judgement(run, all, resampling, nanos);
    }
  }

  private final Resampler resampler;
  private final int particles;
  private final int tasks;
  private final Ancestry ancestry;
  private final Balance balance;
  private final Statement[] heard;
  private int[] owners;
  private long born;
  private long decided;

  Council(ServiceSettings settings, Run run, int tasks) {
    this.resampler = new Resampler(settings.filter(), run.robot());
    this.particles = settings.filter().particles();
    this.tasks = tasks;
    this.ancestry = new Ancestry(particles, settings.team(tasks));
    this.balance =
        new Balance(settings.topology().balanceTolerance(), Assignment.places(particles, tasks));
    this.heard = new Statement[tasks];
    this.owners = Assignment.first(particles, tasks);
  }

  /** A council that begins in the middle of a run, after particles were lost. */
  static Council again(ServiceSettings settings, int tasks, Payload.Rebirth rebirth) {
    Council council = new Council(settings, rebirth.run(), tasks);
    council.ancestry.beginAgain(rebirth.parents(), rebirth.owners());
    council.owners = rebirth.owners();
    council.born = rebirth.round();
    council.decided = rebirth.last().sequence();
    return council;
  }

  /** The round of the rebirth with which it began; 0 if it began with the run. */
  long born() {
    return born;
  }

  /** The decision, once every task was heard. What comes twice counts once. */
  Optional<Decision> hear(int task, Statement statement) {
    long sequence = statement.beliefs().sequence();
    if (sequence <= decided) {
      return Optional.empty();
    }
    heard[task] = statement;
    List<Statement> parts = Arrays.asList(heard);
    if (parts.contains(null)) {
      return Optional.empty();
    }
    Decision decision = decide(parts);
    Arrays.fill(heard, null);
    decided = sequence;
    return Optional.of(decision);
  }

  /** How many particles each task gets: as their speeds ask for, or the first few tasks get all. */
  private int[] places(int active) {
    if (active <= 0 || active >= tasks) {
      return balance.places();
    }
    return Arrays.copyOf(Assignment.places(particles, active), tasks);
  }

  /**
   * The decision about what all tasks state; each step is decided once.
   *
   * @param statements by task
   */
  Decision decide(List<Statement> statements) {
    long start = System.nanoTime();
    for (int task = 0; task < tasks; task++) {
      Statement statement = statements.get(task);
      balance.heard(task, statement.computeNanos(), statement.beliefs().particles().length);
    }
    Beliefs all = Beliefs.merge(particles, statements.stream().map(Statement::beliefs).toList());
    Resampling resampling = resampler.resample(all);
    int[] before = owners;
    List<Move> moves = List.of();
    if (resampling.resampled()) {
      long[] mapBytes = all.mapBytes();
      Assignment.Charge lacking =
          (parent, task) ->
              before[parent] == task ? 0 : ancestry.bytes(parent, task, mapBytes[parent]);
      owners =
          Assignment.of(resampling.parents(), lacking, places(statements.get(0).active())).owners();
      moves =
          Move.between(resampling.parents(), before, owners).stream()
              .map(ancestry::prepared)
              .toList();
    }
    ancestry.advance(resampling, owners, all.mapBytes());
    long nanos = System.nanoTime() - start;
    return new Decision(all, resampling, owners, moves.toArray(new Move[0]), nanos);
  }
}
