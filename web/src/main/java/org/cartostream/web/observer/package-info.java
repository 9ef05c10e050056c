/** Who watches a run is told here what it does, as it happens. */
package org.cartostream.web.observer;
