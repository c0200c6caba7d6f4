/**
 * Times best configs again that may be so no longer.
 *
 * <p>Comes in: best configs of the API. Goes out: comparisons and jobs that a GPU does, and what was decided of each
 * config. Must not know: options, terminals.
 */
@NullMarked
package dev.tilewright.worker.cli.refresh;

import org.jspecify.annotations.NullMarked;
