/** Files of the web page. */
package org.cartostream.web.page;
