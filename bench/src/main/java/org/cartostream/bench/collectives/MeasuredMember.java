package org.cartostream.bench.collectives;

/** Member of a group, of any library, whose operations are measured. All calls block. */
interface MeasuredMember extends AutoCloseable {

  int rank();

  int size();

  void barrier() throws Exception;

  /**
   * Prepares a case: makes what the member sends and, where the library wants it, room for what it
   * receives.
   */
  void prepare(CollectiveCase collectiveCase);

  /** Runs the prepared case's operation once. */
  void run(int root) throws Exception;

  /**
   * Returns the result of the last run for this member, as one array, to check it; null where there
   * was none.
   */
  byte[] received();
}
