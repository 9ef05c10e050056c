/** Newest state of a run, and the part of it that a viewer lacks. */
package org.cartostream.web.state;
