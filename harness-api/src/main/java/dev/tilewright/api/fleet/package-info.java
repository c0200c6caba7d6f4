/**
 * The fleet at the moment, for people: workers with their devices, and how much each device holds. Comes in: what
 * workers registered, what they leased and what was measured on them. Goes out: documents. Must not decide who works on
 * what.
 */
@NullMarked
package dev.tilewright.api.fleet;

import org.jspecify.annotations.NullMarked;
