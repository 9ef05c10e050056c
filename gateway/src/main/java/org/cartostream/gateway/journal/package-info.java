/** What a gateway keeps on disk of a run, so that another process can go on with it. */
package org.cartostream.gateway.journal;
