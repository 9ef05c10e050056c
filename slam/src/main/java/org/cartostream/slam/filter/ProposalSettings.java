package org.cartostream.slam.filter;

import org.cartostream.slam.config.Setting;

/** How a particle's pose is drawn around the matched one. */
public record ProposalSettings(
    @Setting(
            value = "1",
            min = 0,
            max = 10,
            says = "Standard deviation of the draw, as a share of the posterior's.")
        double spread) {}
