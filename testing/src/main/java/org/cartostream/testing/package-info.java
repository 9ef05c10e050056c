/**
 * Groups of tests as annotations, and the program behind {@code scripts/test}, which runs the test
 * classes of all modules.
 */
package org.cartostream.testing;
