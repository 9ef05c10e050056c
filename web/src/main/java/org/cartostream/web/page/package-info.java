/** The files of the page, as they are in the jar. */
package org.cartostream.web.page;
