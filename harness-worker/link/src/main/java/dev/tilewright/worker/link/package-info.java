/**
 * Messages to and from a child process over its standard streams.
 *
 * <p>Comes in: a message type and two streams. Goes out: messages in CBOR. Must not know: what the messages mean, or
 * how the child is started.
 */
@NullMarked
package dev.tilewright.worker.link;

import org.jspecify.annotations.NullMarked;
