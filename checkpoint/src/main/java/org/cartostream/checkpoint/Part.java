package org.cartostream.checkpoint;

/**
 * One component's state in a checkpoint, or a content beside it, as a manifest names it.
 *
 * @param name the component's: {@code dispatcher}, {@code matcher-2}; that of a content beside has
 *     its number behind: {@code publisher-0.12}
 * @param bytes length
 * @param sha256 of the content, 64 hexadecimal digits
 * @param shared true if it is not of one checkpoint, but of all of its run that name it
 */
public record Part(String name, long bytes, String sha256, boolean shared) {}
