package org.cartostream.testing;

/**
 * One test class, as far as it belongs to one group.
 *
 * @param className full name of the class
 * @param group the group whose tests of the class are meant
 * @param module folder of the module that it tests
 * @param classPath which of {@link ClassPaths} it needs
 * @param load what it does most of the time, which says in which lanes it runs
 * @param seconds what it took when last measured; a guess for a new one
 */
record TestJob(
    String className, TestGroup group, String module, int classPath, Load load, double seconds) {

  /** The name without the packages that all classes have in common. */
  String shortName() {
    return className.replaceFirst("^org\\.cartostream\\.", "");
  }

  /** Load that a job makes most of the time. */
  enum Load {
    /** Waits for servers and processes. */
    WAITS(2),
    /** Computes for minutes, and yields to those in which time-outs run. */
    COMPUTES(2),
    /** Starts a cluster: a dozen JVMs that start at a time take minutes on two cores. */
    CLUSTER(1);

    private final int lanes;

    Load(int lanes) {
      this.lanes = lanes;
    }

    /** Returns how many such jobs run side by side. */
    int lanes() {
      return lanes;
    }
  }
}
