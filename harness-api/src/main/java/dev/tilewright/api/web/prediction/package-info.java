/**
 * The page of predictions: a shape is typed, the picks of a model are there. Comes in: a shape and the name of a model.
 * Goes out: a page, marked as simulated. Must not know jobs, studies, workers, SQL.
 */
@NullMarked
package dev.tilewright.api.web.prediction;

import org.jspecify.annotations.NullMarked;
