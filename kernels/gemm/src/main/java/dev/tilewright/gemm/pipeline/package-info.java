/**
 * Rings of slots in shared memory between warp roles, guarded by two barriers a slot: <em>full</em> = data ready,
 * <em>empty</em> = slot free.
 *
 * <p>Comes in: number of slots and of arrivals. Goes out: the waits and arrivals of both sides. Must not know: what
 * lies in a slot.
 */
@NullMarked
package dev.tilewright.gemm.pipeline;

import org.jspecify.annotations.NullMarked;
