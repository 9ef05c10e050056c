/** What TLS on every connection costs. */
package org.cartostream.bench.tls;
