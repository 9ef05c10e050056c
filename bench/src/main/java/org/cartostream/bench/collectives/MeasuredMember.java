package org.cartostream.bench.collectives;

/** The operations of a group's member, of any library, that are measured. All calls wait. */
interface MeasuredMember extends AutoCloseable {

  int rank();

  int size();

  void barrier() throws Exception;

  /**
   * Gets ready for a cell: makes what it sends and, where the library wants it, room for what
   * comes.
   */
  void prepare(CollectiveCase collectiveCase);

  /** Does the prepared cell's operation once. */
  void run(int root) throws Exception;

  /**
   * Result of the last run for this member, as one array, to check it; null where it brought
   * nothing.
   */
  byte[] received();
}
