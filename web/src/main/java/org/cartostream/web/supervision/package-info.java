/** Which processes and tasks of a service are alive, as an observer sees it. */
package org.cartostream.web.supervision;
