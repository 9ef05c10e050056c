package org.cartostream.bench.played;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.cartostream.bench.sequential.SequentialTasks;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.Particle;
import org.cartostream.slam.particle.ParticleFilter;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.StepWeigher;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Recorder of a filter: it runs the filter in one thread, with all particles, and notes what each
 * particle computes and how long that takes by the clock of the thread's computing time.
 *
 * <p>Owns the recording that it writes.
 *
 * @param <C> what the filter keeps of a particle
 */
public final class FilterRecorder<C> implements ParticleFilters<C> {

  private final ParticleFilters<C> filters;
  private final LongSupplier clock;
  private final FilterRecording recording;

  FilterRecorder(ParticleFilters<C> filters, LongSupplier clock) {
    this.filters = filters;
    this.clock = clock;
    this.recording = new FilterRecording(filters.particles(), new TreeMap<>());
  }

  /**
   * Records mapping in several passes, of which the least time of each piece of work counts.
   *
   * @param clock nanoseconds of computing of the calling thread
   * @param passes number of passes, at least 1
   * @param stop is asked at each reading; if true, the recording ends there
   * @throws IllegalArgumentException if the settings change the number of particles on the way
   */
  public static FilterRecording mapping(
      ServiceSettings settings,
      String robot,
      List<Reading> readings,
      LongSupplier clock,
      int passes,
      BooleanSupplier stop) {
    if (settings.filter().adaptive().isOn()) {
      throw new IllegalArgumentException(
          "slam.adaptive.minParticles: as many particles as are needed cannot be recorded; 0 can");
    }
    FilterRecording least = null;
    for (int pass = 0; least == null || (pass < passes && !stop.getAsBoolean()); pass++) {
      FilterRecorder<?> recorder =
          new FilterRecorder<>(new MappingFilters(settings.filter()), clock);
      SequentialTasks one = new SequentialTasks(settings, recorder, robot, 1, clock);
      for (int i = 0; i < readings.size() && !stop.getAsBoolean(); i++) {
        one.process(i + 1L, readings.get(i));
      }
      if (least == null) {
        least = recorder.recording;
      } else if (!stop.getAsBoolean()) {
        least.takeLeast(recorder.recording);
      }
    }
    return least;
  }

  @Override
  public int particles() {
    return filters.particles();
  }

  @Override
  public ParticleFilter<C> filter(String robot, int task, TaskLayout taskLayout) {
    return new Recorded(filters.filter(robot, task, taskLayout));
  }

  @Override
  public ParticleSelector selector(String robot) {
    return filters.selector(robot);
  }

  /** Weigher whose results and times are noted. */
  private final class RecordedWeigher implements StepWeigher<C> {

    private final long sequence;
    private final StepWeigher<C> weigher;
    private final FilterRecording.KeyFrame keyFrame;

    RecordedWeigher(Step step, ParticleFilter<C> filter) {
      long start = clock.getAsLong();
      sequence = step.sequence();
      weigher = filter.weigher(step);
      int particles = filters.particles();
      keyFrame =
          new FilterRecording.KeyFrame(
              clock.getAsLong() - start,
              new ArrayList<>(),
              new long[particles],
              new long[particles]);
    }

    @Override
    public Weighed weigh(Particle<C> particle) {
      long start = clock.getAsLong();
      Weighed weighed = weigher.weigh(particle);
      keyFrame.matchNanos()[particle.number()] = clock.getAsLong() - start;
      keyFrame.weighed().add(weighed); // Particles come in the order of their numbers.
      return weighed;
    }

    @Override
    public double evidence() {
      return weigher.evidence();
    }

    @Override
    public boolean placesAnew() {
      return weigher.placesAnew();
    }

    @Override
    public long evaluationsBefore() {
      return weigher.evaluationsBefore();
    }
  }

  /** The filter's particles, of which all is noted. */
  private final class Recorded implements ParticleFilter<C> {

    private final ParticleFilter<C> filter;
    private FilterRecording.KeyFrame keyFrame;

    Recorded(ParticleFilter<C> filter) {
      this.filter = filter;
    }

    @Override
    public StepWeigher<C> weigher(Step step) {
      return new RecordedWeigher(step, filter);
    }

    @Override
    public void begin(StepWeigher<C> weigher) {
      RecordedWeigher recorded = (RecordedWeigher) weigher;
      keyFrame = recorded.keyFrame;
      recording.keyFrames().put(recorded.sequence, keyFrame);
      filter.begin(recorded.weigher);
    }

    @Override
    public List<Particle<C>> updateMap(List<Particle<C>> family) {
      long start = clock.getAsLong();
      List<Particle<C>> after = filter.updateMap(family);
      keyFrame.updateNanos()[family.get(0).number()] = clock.getAsLong() - start;
      return after;
    }

    /** The time of the end is one of all particles alike. */
    @Override
    public List<Particle<C>> end(List<Particle<C>> all) {
      long start = clock.getAsLong();
      List<Particle<C>> after = filter.end(all);
      long each = (clock.getAsLong() - start) / all.size();
      Arrays.setAll(keyFrame.updateNanos(), i -> keyFrame.updateNanos()[i] + each);
      return after;
    }

    @Override
    public int particles() {
      return filter.particles();
    }

    @Override
    public double resampleBelowNeff(int count) {
      return filter.resampleBelowNeff(count);
    }

    @Override
    public List<Particle<C>> first(int[] numbers) {
      return filter.first(numbers);
    }

    @Override
    public Object shared(C content) {
      return filter.shared(content);
    }

    @Override
    public ParticleTransfer pack(ParticleMove particleMove, Particle<C> particle, long sequence) {
      return filter.pack(particleMove, particle, sequence);
    }

    @Override
    public void decided(Resampling resampling, int[] ownerAfter) {
      filter.decided(resampling, ownerAfter);
    }

    @Override
    public Particle<C> child(Particle<C> parent, int number) {
      return filter.child(parent, number);
    }

    @Override
    public List<Particle<C>> unpack(List<ParticleTransfer> particleTransfers) {
      return filter.unpack(particleTransfers);
    }

    @Override
    public long bytes(List<Particle<C>> all) {
      return filter.bytes(all);
    }

    @Override
    public List<Particle<C>> restart(
        ParticleFilter<C> before, List<Particle<C>> mine, int[] owners) {
      throw new UnsupportedOperationException("a recording has one task from its beginning on");
    }
  }
}
