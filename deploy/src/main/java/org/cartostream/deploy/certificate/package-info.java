/** Authorities of a secured cluster, and the certificates and key stores that they issue. */
package org.cartostream.deploy.certificate;
