package dev.tilewright.worker.agent.runner;

import dev.tilewright.model.problem.Problem;
import java.time.Duration;

/**
 * How long a runner may take.
 *
 * @param start from the start of the process to its first word
 * @param probe of the known-good kernel
 * @param trial of a trial of a tiny problem, beside what {@link #trial(Problem)} adds for the work in it
 * @param finalArm of each arm of a final of short launches, peers counted as {@link #PEER_ARMS}: seventy-five turns
 *     (sixty and a fifth of all discarded) of 0.3 s on the GPU, with as much again for a slow host; those that leave in
 *     a race take less
 * @param text of the check of a text: whoever asks for one waits for it, and so do all that are behind it. Nothing for
 *     a device that checks none
 */
public record RunnerLimits(Duration start, Duration probe, Duration trial, Duration finalArm, Duration text) {

    /** Limits for a GPU of our time. */
    public static final RunnerLimits STANDARD = new RunnerLimits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(45),
            Duration.ZERO);

    /** Limits for the emulator, which needs seconds where a GPU needs microseconds. */
    public static final RunnerLimits EMULATOR = new RunnerLimits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(20),
            Duration.ofMinutes(15),
            Duration.ZERO,
            Duration.ofMinutes(2));

    /** How many kernels a peer may bring, such as the algorithms of a heuristic. */
    private static final int PEER_ARMS = 16;

    /** Of how many of ours the first of each team and others of those that lead are fewer. */
    private static final int RACING = 48;

    /**
     * The reference kernel has no tensor cores: its rate bounds how long an honest trial can take, with room to spare.
     */
    private static final double SLOWEST_FLOPS_PER_SECOND = 1e12;

    /** In a final every kernel has tensor cores. */
    private static final double SLOWEST_FINALIST_FLOPS_PER_SECOND = 2e14;

    /**
     * Of an arm in those turns, where launches are so long that a turn has the fewest: two to settle and two timed, and
     * as many again for a slow host.
     */
    private static final int FINAL_LAUNCHES = 600;

    /** Limit of a trial. */
    public Duration trial(Problem problem) {
        return trial.plusMillis((long) (problem.flops() / SLOWEST_FLOPS_PER_SECOND * 1e3));
    }

    /** Limit of what is no part of a study: two of our arms, and those of a peer. */
    public Duration task(Problem problem) {
        return runFinal(problem, 2, 0, 1);
    }

    /**
     * Limit of a final.
     *
     * @param arms of ours, of which no more than {@link #RACING} run
     * @param rivals kernels of peers that are built here
     * @param peers whose kernels the runner finds by itself
     */
    public Duration runFinal(Problem problem, int arms, int rivals, int peers) {
        double launches = FINAL_LAUNCHES * (problem.flops() / SLOWEST_FINALIST_FLOPS_PER_SECOND);
        Duration arm = finalArm.plusMillis((long) (launches * 1e3));
        return trial(problem).plus(arm.multipliedBy(Math.min(arms, RACING) + rivals + (long) PEER_ARMS * peers));
    }
}
