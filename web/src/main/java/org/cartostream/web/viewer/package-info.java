/** Viewers of a run's page, and what each is sent when. */
package org.cartostream.web.viewer;
