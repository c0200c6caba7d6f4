/**
 * The queue: pieces of work, their leases, and the rules of both. A feature that has work registers a
 * {@link dev.tilewright.api.work.WorkKind}. Comes in: work that a device may take, and what workers say of leases. Goes
 * out: leases, and what becomes of work. Must not know what work is: no study, trial, task or gate. Their tables are
 * known to {@link dev.tilewright.api.work.LeaseRepository} and {@link dev.tilewright.api.work.WorkedTimeRepository}
 * alone.
 */
@NullMarked
package dev.tilewright.api.work;

import org.jspecify.annotations.NullMarked;
