/** Transport between members in one JVM: frames are handed over in the heap. */
package org.cartostream.collectives.transport.memory;
