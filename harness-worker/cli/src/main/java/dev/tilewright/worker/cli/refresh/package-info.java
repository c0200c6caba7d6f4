/**
 * Times best configs again that may be so no longer.
 *
 * <p>Comes in: best configs of the API. Goes out: what was decided of each config. Must not know: options, terminals,
 * how it is timed.
 */
@NullMarked
package dev.tilewright.worker.cli.refresh;

import org.jspecify.annotations.NullMarked;
