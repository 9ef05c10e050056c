package org.cartostream.checkpoint;

/**
 * One component's state in a checkpoint, as a manifest names it.
 *
 * @param name the component's: {@code dispatcher}, {@code matcher-2}
 * @param bytes length
 * @param sha256 of the content, 64 hexadecimal digits
 */
public record Part(String name, long bytes, String sha256) {}
