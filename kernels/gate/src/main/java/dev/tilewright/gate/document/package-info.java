/**
 * Requests and answers of a gate as they go over the wire: the service writes them, the command line and every report
 * read them.
 *
 * <p>Comes in: JSON, or what a service found. Goes out: records. Must not know: how a verdict is found.
 */
@NullMarked
package dev.tilewright.gate.document;

import org.jspecify.annotations.NullMarked;
