/**
 * Text for users: progress, leaderboards and the reason of a win.
 *
 * <p>Comes in: documents of the API. Goes out: lines. Must not know: terminals, REST, files.
 */
@NullMarked
package dev.tilewright.worker.cli.board;

import org.jspecify.annotations.NullMarked;
