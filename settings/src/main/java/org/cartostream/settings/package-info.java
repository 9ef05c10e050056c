/**
 * Settings records, their defaults, units and bounds, read from annotations; overrides by key, from
 * YAML and flags; checks of files and texts that come from outside.
 */
package org.cartostream.settings;
