package org.cartostream.testing;

/**
 * One test class, or the part of it that belongs to one group.
 *
 * @param className full name of the class
 * @param group the group whose tests are run
 * @param module folder name of the class's module
 * @param classPath index of the class path in {@link ClassPaths}
 * @param load kind of work, which decides in which lanes the job runs
 * @param seconds time when last measured; a guess for a new class
 */
record TestJob(
    String className, TestGroup group, String module, int classPath, Load load, double seconds) {

  /** Returns the class's name without the package that all classes have in common. */
  String shortName() {
    return className.replaceFirst("^org\\.cartostream\\.", "");
  }

  /** Kind of work that a job does most of the time. */
  enum Load {
    /** Waits for servers and processes. */
    WAITS(2),
    /** Computes for minutes, at low priority, so that tests with time-outs are not slowed down. */
    COMPUTES(2),
    /** Starts a cluster: a dozen JVMs that start at the same time take minutes on two cores. */
    CLUSTER(1);

    private final int lanes;

    Load(int lanes) {
      this.lanes = lanes;
    }

    /** Returns how many jobs with this load run side by side. */
    int lanes() {
      return lanes;
    }
  }
}
