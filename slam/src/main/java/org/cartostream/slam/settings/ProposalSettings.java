package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;

/** Settings of the proposal: how a particle's pose is drawn around the matched one. */
public record ProposalSettings(
    @Setting(
            value = "1",
            min = 0,
            max = 10,
            description = "Standard deviation of the draw from the proposal, over the posterior's.")
        double sigmaShare) {}
