/** What was tried and what came of it: testbed, outcome, measurement, and the evidence of the tile scheduler. */
@NullMarked
package dev.tilewright.model.trial;

import org.jspecify.annotations.NullMarked;
