/** Several robots on one page, by what their service answers them. */
package org.cartostream.web.fleet;
