/**
 * Messages between the host of a runner and the runner, a child process that owns one device.
 *
 * <p>The child starts, sends {@link dev.tilewright.worker.link.runner.RunnerReply.Ready} (or {@code Unusable}) without
 * being asked, and then answers one request after the other. The next one may be sent before the answer: the child
 * makes it ready while it waits for its device, and its first launch may stand behind the last ones of the request at
 * hand; the rest runs after that answer, and not at all after a fault. While it works on a request it may send any
 * number of {@code Phase} replies, then exactly one answer. It exits when its standard input ends. A device fault makes
 * it send {@code TrialDone} with outcome {@code crash} if it still can, and exit: a context that faulted is never used
 * again.
 *
 * <p>Comes in: kernels with their launches, as data. Goes out: what came of them. Must not know: CUDA, processes,
 * leases.
 */
@NullMarked
package dev.tilewright.worker.link.runner;

import org.jspecify.annotations.NullMarked;
