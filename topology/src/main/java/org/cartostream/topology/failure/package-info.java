/** Readings at which the service fails: finding the one that ends its process, and keeping them. */
package org.cartostream.topology.failure;
