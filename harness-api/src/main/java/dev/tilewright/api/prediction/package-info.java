/**
 * Predictions: the configs that a model of a GPU would try first for a problem. Comes in: a shape and the name of a
 * simulated GPU. Goes out: configs with predicted times, labelled {@code simulated}. Must not know: jobs, studies,
 * workers, SQL.
 */
@NullMarked
package dev.tilewright.api.prediction;

import org.jspecify.annotations.NullMarked;
