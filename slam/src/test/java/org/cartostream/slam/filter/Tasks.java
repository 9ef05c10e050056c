package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * A run whose particles lie on several partitions, which hand them to each other at random at each
 * resampling.
 *
 * <p>Owns the partitions, what is decided over them, and who has which particle.
 */
final class Tasks {

  private final FilterSettings settings;
  private final Team team;
  private final Random random;
  private final Lineage lineage;
  private List<Partition> partitions = new ArrayList<>();
  private Resampler resampler;
  private Ancestry ancestry;
  private int[] owner;
  private int moved;
  private long bytes;

  Tasks(FilterSettings settings, int tasks, int reach) {
    this.settings = settings;
    this.team = new Team(tasks, reach);
    this.random = new Random(tasks);
    this.lineage = new Lineage(settings);
    this.resampler = new Resampler(settings, "robot");
    this.ancestry = new Ancestry(settings.particles(), team);
    this.owner = IntStream.range(0, settings.particles()).map(i -> i % tasks).toArray();
    for (int task = 0; task < tasks; task++) {
      partitions.add(new Partition(settings, "robot", task, team, of(task)));
    }
  }

  /** Numbers of the particles that a task has, ascending. */
  int[] of(int task) {
    return IntStream.range(0, owner.length).filter(i -> owner[i] == task).toArray();
  }

  Lineage lineage() {
    return lineage;
  }

  /** How many particles moved with the latest scan in their maps. */
  int moved() {
    return moved;
  }

  /** What all moves took. */
  long bytes() {
    return bytes;
  }

  /**
   * Takes a key frame.
   *
   * @param next the one after it, null if there is none
   * @param pieces how many a partition does of what comes later before it is decided who goes on
   */
  void keyFrame(Step step, Step next, IntSupplier pieces) {
    Beliefs all =
        Beliefs.merge(owner.length, partitions.stream().map(part -> part.match(step)).toList());
    for (Partition partition : partitions) {
      boolean more = true;
      for (int left = pieces.getAsInt(); left > 0 && more; left--) {
        more = partition.enterAhead() || (next != null && partition.matchAhead(next));
      }
    }
    Resampling resampling = resampler.resample(all);
    int[] after = resampling.resampled() ? anywhere() : owner;
    List<Move> moves =
        Move.between(resampling.parents(), owner, after).stream().map(ancestry::prepared).toList();
    ancestry.advance(resampling, after);
    List<Parcel> parcels =
        moves.stream().map(move -> partitions.get(move.from()).send(move)).toList();
    moved += (int) parcels.stream().filter(Parcel::entered).count();
    bytes += parcels.stream().mapToLong(Parcel::bytes).sum();
    partitions.forEach(partition -> partition.resample(resampling, after));
    for (int task = 0; task < team.tasks(); task++) {
      int to = task;
      partitions
          .get(task)
          .receive(
              IntStream.range(0, moves.size())
                  .filter(i -> moves.get(i).to() == to)
                  .mapToObj(parcels::get)
                  .toList());
    }
    partitions.forEach(Partition::register);
    lineage.keyFrame(step, all, resampling);
    owner = after;
  }

  private int[] anywhere() {
    return Arrays.stream(owner).map(task -> random.nextInt(team.tasks())).toArray();
  }

  /**
   * Takes a key frame after which some particles are lost, before anything is decided: what is left
   * goes on on partitions that know nothing of the past.
   *
   * @param parents for each particle the one that it is a copy of; itself if it was not lost
   */
  void keyFrameAndLoss(Step step, int[] parents) {
    List<Beliefs> left = partitions.stream().map(part -> part.match(step)).toList();
    partitions.forEach(Partition::settle);
    int[] after = anywhere();
    List<Partition> reborn = new ArrayList<>();
    for (int task = 0; task < team.tasks(); task++) {
      List<Parcel> parcels = survivors(parents, after, task);
      reborn.add(Partition.ofSurvivors(settings, "robot", task, team, parcels, parents, after));
    }
    lost(step, Beliefs.completed(parents, left), parents);
    partitions = reborn;
    owner = after;
    ancestry = new Ancestry(owner.length, team);
    ancestry.beginAgain(parents, owner);
  }

  private List<Parcel> survivors(int[] parents, int[] after, int task) {
    List<Parcel> parcels = new ArrayList<>();
    for (int parent = 0; parent < parents.length; parent++) {
      int number = parent;
      int[] copies =
          IntStream.range(0, parents.length)
              .filter(i -> parents[i] == number && after[i] == task)
              .toArray();
      if (copies.length > 0) {
        parcels.add(partitions.get(owner[parent]).whole(parent, copies));
      }
    }
    return parcels;
  }

  /** The same as {@link #keyFrameAndLoss} by an ordinary resampling, on one task only. */
  void keyFrameAndResampling(Step step, int[] parents) {
    Partition partition = partitions.get(0);
    Beliefs all = partition.match(step);
    partition.resample(new Resampling(step.sequence(), true, parents, 0, 0, parents[0]), owner);
    partition.register();
    lost(step, all, parents);
  }

  private void lost(Step step, Beliefs all, int[] parents) {
    int[] themselves = IntStream.range(0, owner.length).toArray();
    lineage.keyFrame(
        step, all, new Resampling(step.sequence(), false, themselves, 1, 0, parents[0]));
    lineage.redraw(parents);
    resampler = new Resampler(settings, "robot");
  }
}
