/** The newest state of a run, and what of it a viewer lacks. */
package org.cartostream.web.state;
