/**
 * The host side of a runner: a child process that owns one GPU, or the model of one, and may die without anybody else
 * dying.
 *
 * <p>Comes in: requests in the words of {@code runner.link}. Goes out: answers, or a typed outcome when the child died
 * or hung. Must not know: CUDA, leases.
 */
@NullMarked
package dev.tilewright.worker.agent.runner;

import org.jspecify.annotations.NullMarked;
