/**
 * Settings records, their defaults, units and bounds, read from annotations; overrides by key, from
 * YAML and flags.
 */
package org.cartostream.settings;
