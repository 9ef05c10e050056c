package org.cartostream.ros.message;

/**
 * {@code rmw_dds_common/Gid}: the identity of a participant, a reader or a writer; up to Humble it
 * ends with eight zeros.
 */
public record Gid(byte[] data) {}
