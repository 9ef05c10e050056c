/** Who looks at the page of a run, and what each is sent when. */
package org.cartostream.web.viewer;
