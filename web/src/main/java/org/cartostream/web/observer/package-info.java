/** Interface of a run's observers, which are told events as they happen. */
package org.cartostream.web.observer;
