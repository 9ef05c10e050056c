package org.cartostream.slam.match;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * The pose at which a scan fits a map best.
 *
 * @param pose of the base
 * @param curvature minus the second derivative of the log likelihood there, per metre and radian:
 *     how sharply the scan decides each direction. Positive semidefinite
 * @param evaluations how many poses were scored
 */
public record Match(Pose pose, SymmetricMatrix3 curvature, int evaluations) {}
