package org.cartostream.web.topic;

/**
 * Identification of the map's cells after a message of {@link Topic#MAP} or {@link
 * Topic#MAP_UPDATES}.
 *
 * @param reading number of the newest reading that had an outcome by then
 * @param correction number of the newest correction that the map shows
 * @param whole true if the message was a whole map
 * @param sha256 SHA-256 of all cells, row-major from the lower left, in hexadecimal digits
 */
public record MapState(long reading, int correction, boolean whole, String sha256) {}
