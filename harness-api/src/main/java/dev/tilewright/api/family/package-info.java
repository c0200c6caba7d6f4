/**
 * Kernel families and the values of their parameters. Comes in: a shape. Goes out: families with the values of their
 * parameters for it. Must not know: jobs, studies, workers, SQL.
 */
@NullMarked
package dev.tilewright.api.family;

import org.jspecify.annotations.NullMarked;
