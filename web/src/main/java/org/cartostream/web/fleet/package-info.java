/** Page of several robots, made from their service's answers. */
package org.cartostream.web.fleet;
