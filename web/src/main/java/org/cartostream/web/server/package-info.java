/** The server of the live page: its files and requests, and who may look. */
package org.cartostream.web.server;
