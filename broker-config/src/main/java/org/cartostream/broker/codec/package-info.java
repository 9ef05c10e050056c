/** Messages as bytes: frame header, Kryo registration by fixed numbers, bounded decoding. */
package org.cartostream.broker.codec;
