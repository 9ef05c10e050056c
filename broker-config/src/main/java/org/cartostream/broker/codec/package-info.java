/**
 * Encoding of messages: frame header, records by their fields, bounded decoding; frames in pieces.
 */
package org.cartostream.broker.codec;
