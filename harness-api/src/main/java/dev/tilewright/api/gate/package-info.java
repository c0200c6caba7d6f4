/**
 * Gates: runs that hold the kernels of a commit beside a baseline. Comes in: requests, checked in full before anything
 * is queued. Goes out: documents of {@code dev.tilewright.gate}. A run is a few tasks for one GPU, moved on by a driver
 * that any replica may be. Must not know how blocks are run, nor how a verdict is found:
 * {@link dev.tilewright.api.gate.CaseTasks} and {@link dev.tilewright.api.gate.Decisions} ask those who do.
 */
@NullMarked
package dev.tilewright.api.gate;

import org.jspecify.annotations.NullMarked;
