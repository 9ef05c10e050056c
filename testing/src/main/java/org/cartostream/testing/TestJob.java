package org.cartostream.testing;

/**
 * One test class, as far as it belongs to one group.
 *
 * @param className full name of the class
 * @param group the group whose tests of the class are meant
 * @param module folder of the module that it tests
 * @param classPath which of {@link ClassPaths} it needs
 * @param computes whether it computes for minutes
 * @param seconds what it took when last measured; a guess for a new one
 */
record TestJob(
    String className,
    TestGroup group,
    String module,
    int classPath,
    boolean computes,
    double seconds) {

  /** The name without the packages that all classes have in common. */
  String shortName() {
    return className.replaceFirst("^org\\.cartostream\\.", "");
  }
}
