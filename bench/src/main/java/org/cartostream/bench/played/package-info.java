/** Played compute: filters that take the time which others took, and use no processor for it. */
package org.cartostream.bench.played;
