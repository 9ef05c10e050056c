package org.cartostream.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.cartostream.slam.filter.Ancestry;
import org.cartostream.slam.filter.Beliefs;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Resampler;
import org.cartostream.slam.filter.Resampling;

/**
 * Hears all tasks about a key frame of one run, and then decides. A pure function of what it hears:
 * councils that hear the same decide the same.
 *
 * <p>Owns the run's {@link Resampler} and the knowledge of which task has which particle, and which
 * ancestors' maps.
 */
final class Council {

  /** What was decided, and what was believed. */
  record Decision(Beliefs all, Resampling resampling, int[] owners, Move[] moves) {}

  private final Resampler resampler;
  private final int particles;
  private final int tasks;
  private final Ancestry ancestry;
  private final Beliefs[] heard;
  private int[] owners;
  private long decided;

  Council(FilterSettings settings, Run run, int tasks) {
    this.resampler = new Resampler(settings, run.robot());
    this.particles = settings.particles();
    this.tasks = tasks;
    this.ancestry = new Ancestry(particles, tasks);
    this.heard = new Beliefs[tasks];
    this.owners = Assignment.first(particles, tasks);
  }

  /** The decision, once every task was heard. What comes twice counts once. */
  Optional<Decision> hear(int task, Beliefs beliefs) {
    if (beliefs.sequence() <= decided) {
      return Optional.empty();
    }
    heard[task] = beliefs;
    List<Beliefs> parts = Arrays.asList(heard);
    if (parts.contains(null)) {
      return Optional.empty();
    }
    Decision decision = decide(parts);
    Arrays.fill(heard, null);
    decided = beliefs.sequence();
    return Optional.of(decision);
  }

  /** The decision about what all tasks believe; each step is decided once. */
  Decision decide(Iterable<Beliefs> parts) {
    Beliefs all = Beliefs.merge(particles, parts);
    Resampling resampling = resampler.resample(all);
    int[] before = owners;
    List<Move> moves = List.of();
    if (resampling.resampled()) {
      long[] mapBytes = all.mapBytes();
      Assignment.Charge lacking =
          (parent, task) ->
              before[parent] == task ? 0 : ancestry.bytes(parent, task, mapBytes[parent]);
      int[] places = Assignment.places(particles, tasks);
      owners = Assignment.of(resampling.parents(), lacking, places).owners();
      moves =
          Move.between(resampling.parents(), before, owners).stream()
              .map(ancestry::prepared)
              .toList();
    }
    ancestry.advance(resampling, owners);
    return new Decision(all, resampling, owners, moves.toArray(new Move[0]));
  }
}
