/**
 * The best known config of each problem on each testbed: results of finals on real GPUs alone. Comes in: questions.
 * Goes out: configs with the evidence. Must not know how they were found.
 */
@NullMarked
package dev.tilewright.api.best;

import org.jspecify.annotations.NullMarked;
