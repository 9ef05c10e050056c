package org.cartostream.slam.filter;

import org.cartostream.slam.config.Setting;

/** Everything that the filter's answer depends on, besides the readings. */
public record FilterSettings(
    @Setting(value = "60", min = 1, max = 100_000, says = "How many particles the filter has.")
        int particles,
    @Setting(value = "1", says = "Seed of all random numbers; one seed gives one trajectory.")
        long seed) {}
