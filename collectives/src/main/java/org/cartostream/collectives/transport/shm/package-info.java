/** Transport between members on one host: rings of bytes in shared memory. */
package org.cartostream.collectives.transport.shm;
