/** Server of the page: files, requests and access. */
package org.cartostream.web.server;
