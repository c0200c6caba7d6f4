/**
 * Reports of a gate for people and for CI systems: every report is written from the one document of its run.
 *
 * <p>Comes in: the document. Goes out: text. Must not know: the service, files, how a verdict is found.
 */
@NullMarked
package dev.tilewright.worker.cli.gate.report;

import org.jspecify.annotations.NullMarked;
