/**
 * How tests are grouped and run: the annotations of the groups, and the program behind {@code
 * scripts/test}.
 */
package org.cartostream.testing;
