/**
 * What a gate is asked and what it answers, as it goes over the wire: the service writes it, the command line and every
 * report read it.
 *
 * <p>Comes in: JSON, or what a service found. Goes out: records. Must not know: how a verdict is found.
 */
@NullMarked
package dev.tilewright.gate.document;

import org.jspecify.annotations.NullMarked;
