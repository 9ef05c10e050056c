/** Viewers of a run's page, and the pace of their updates. */
package org.cartostream.web.viewer;
