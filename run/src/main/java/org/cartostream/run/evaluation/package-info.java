/** The error of a trajectory against ground truth. */
package org.cartostream.run.evaluation;
