/** Supervision of a service's processes and tasks, as an observer sees them. */
package org.cartostream.web.supervision;
