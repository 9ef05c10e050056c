/** The authorities of a secured cluster, and the certificates and key stores they issue. */
package org.cartostream.deploy.certificate;
