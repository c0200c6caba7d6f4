/**
 * The platform of every feature: settings, home folder, clock, JSON columns. Comes in: environment and options. Goes
 * out: beans. Must not know any feature.
 */
@NullMarked
package dev.tilewright.api.platform;

import org.jspecify.annotations.NullMarked;
