package org.cartostream.testing;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Group of tests by cost; each test class is annotated with exactly one group. */
public enum TestGroup {
  QUICK("quick & !default & !nightly"),
  DEFAULT("default & !nightly"),
  NIGHTLY("nightly");

  private final String tags;

  TestGroup(String tags) {
    this.tags = tags;
  }

  /** Returns JUnit's tag expression that selects this group's tests in a class. */
  String tags() {
    return tags;
  }

  /** Returns the group's name in tables and options. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns all groups with which a class or method is annotated. */
  static List<TestGroup> of(AnnotatedElement element) {
    List<TestGroup> groups = new ArrayList<>();
    if (element.isAnnotationPresent(Quick.class)) {
      groups.add(QUICK);
    }
    if (element.isAnnotationPresent(Default.class)) {
      groups.add(DEFAULT);
    }
    if (element.isAnnotationPresent(Nightly.class)) {
      groups.add(NIGHTLY);
    }
    return groups;
  }

  /** Returns the load that a class or method of this group declares. */
  TestJob.Load load(AnnotatedElement element) {
    boolean computes = false;
    boolean cluster = false;
    if (this == DEFAULT && element.isAnnotationPresent(Default.class)) {
      computes = element.getAnnotation(Default.class).computes();
      cluster = element.getAnnotation(Default.class).cluster();
    } else if (this == NIGHTLY && element.isAnnotationPresent(Nightly.class)) {
      computes = element.getAnnotation(Nightly.class).computes();
      cluster = element.getAnnotation(Nightly.class).cluster();
    }
    return cluster ? TestJob.Load.CLUSTER : computes ? TestJob.Load.COMPUTES : TestJob.Load.WAITS;
  }
}
