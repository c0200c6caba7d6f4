/**
 * The verb {@code bundle}: checks bundles and makes them.
 *
 * <p>Comes in: options, folders and archives. Goes out: lines, and files of a bundle. Must not know: the service.
 */
@NullMarked
package dev.tilewright.worker.cli.bundle;

import org.jspecify.annotations.NullMarked;
