/** Interface by which observers are told what a run does, as it happens. */
package org.cartostream.web.observer;
