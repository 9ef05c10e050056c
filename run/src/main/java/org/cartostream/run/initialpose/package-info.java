/**
 * Beginning of a run in a known map: the search for the robot, and the check of its stated initial
 * pose.
 */
package org.cartostream.run.initialpose;
