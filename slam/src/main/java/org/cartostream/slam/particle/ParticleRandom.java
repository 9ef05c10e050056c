package org.cartostream.slam.particle;

/**
 * Random numbers of one particle at one reading, keyed by (seed, robot, reading, particle): they do
 * not depend on which task draws them, nor on what was drawn before.
 *
 * <p>A counter run through SplitMix64's finaliser (Steele, Lea, Flood 2014); the four keys are
 * mixed by the same function, one after the other. Owns: the counter.
 */
public final class ParticleRandom {

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;
  private double spare;
  private boolean hasSpare;

  public ParticleRandom(long seed, String robot, long reading, int particle) {
    long key = mix(seed + GOLDEN);
    for (int i = 0; i < robot.length(); i++) {
      key = mix(key + GOLDEN + robot.charAt(i));
    }
    key = mix(key + GOLDEN + reading);
    state = mix(key + GOLDEN + particle);
  }

  /** Uniform in [0, 1). */
  public double uniform() {
    state += GOLDEN;
    return (mix(state) >>> 11) * 0x1p-53;
  }

  /** Standard normal (Box and Muller 1958). */
  public double gaussian() {
    if (hasSpare) {
      hasSpare = false;
      return spare;
    }
    double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - uniform()));
    double angle = 2 * StrictMath.PI * uniform();
    spare = radius * StrictMath.sin(angle);
    hasSpare = true;
    return radius * StrictMath.cos(angle);
  }

  private static long mix(long z) {
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
