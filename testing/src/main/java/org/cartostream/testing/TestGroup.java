package org.cartostream.testing;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Group of tests by what they cost; each test class is annotated with exactly one. */
public enum TestGroup {
  QUICK("quick & !default & !nightly"),
  DEFAULT("default & !nightly"),
  NIGHTLY("nightly");

  private final String tags;

  TestGroup(String tags) {
    this.tags = tags;
  }

  /** The tag expression of JUnit that selects this group's tests in a class. */
  String tags() {
    return tags;
  }

  /** As it is written in tables and options. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All groups with which a class or method is annotated. */
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

  /** Whether a class or method of this group says that it computes for minutes. */
  boolean computes(AnnotatedElement element) {
    return switch (this) {
      case QUICK -> false;
      case DEFAULT ->
          element.isAnnotationPresent(Default.class)
              && element.getAnnotation(Default.class).computes();
      case NIGHTLY ->
          element.isAnnotationPresent(Nightly.class)
              && element.getAnnotation(Nightly.class).computes();
    };
  }
}
