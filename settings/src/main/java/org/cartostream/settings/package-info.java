/**
 * Settings records: defaults, units and bounds are annotations; values come by key from a YAML
 * file, flags and the environment.
 */
package org.cartostream.settings;
