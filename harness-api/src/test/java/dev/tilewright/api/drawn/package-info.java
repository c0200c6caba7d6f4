/**
 * Problems drawn at random, so that nobody chooses what is easy. In: a seed. Out: problems that a family takes, the
 * same for the same seed. Must not know: the service.
 */
@NullMarked
package dev.tilewright.api.drawn;

import org.jspecify.annotations.NullMarked;
