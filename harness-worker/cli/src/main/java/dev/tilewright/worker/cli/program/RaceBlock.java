package dev.tilewright.worker.cli.program;

import dev.tilewright.gate.decision.PairedBlock;
import dev.tilewright.gate.statistics.Quantiles;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Times of the runs of a block. They take turns: each has one in each round.
 *
 * @param order of the runs in the first round
 * @param times nanoseconds of a step, of each run by round
 */
record RaceBlock(List<Run> order, Map<Run, double[]> times) {

    enum Run {
        BASELINE,
        CANDIDATE,
        /** The baseline once more. */
        AGAIN,
        /** The baseline, slowed. */
        SLOWED,
        /** The candidate, and not counted, as the next: both take as many steps, which may grow longer. */
        CANDIDATE_FOLLOWS,
        CANDIDATE_FOLLOWS_ON;

        boolean ofCandidate() {
            return this == CANDIDATE || this == CANDIDATE_FOLLOWS || this == CANDIDATE_FOLLOWS_ON;
        }
    }

    static RaceBlock of(List<Run> order, int rounds) {
        Map<Run, double[]> times = new EnumMap<>(Run.class);
        order.forEach(run -> times.put(run, new double[rounds]));
        return new RaceBlock(order, times);
    }

    boolean has(Run run) {
        return times.containsKey(run);
    }

    double median(Run run) {
        return Quantiles.median(times.get(run).clone());
    }

    /**
     * A run beside that of the baseline. Their ratio is the median of those of the rounds: a round in which the machine
     * changes its speed is one of many.
     */
    PairedBlock pair(int index, Run run) {
        double[] own = times.get(run);
        double[] baseline = times.get(Run.BASELINE);
        double ratio = Quantiles.median(IntStream.range(0, baseline.length)
                .mapToDouble(round -> own[round] / baseline[round])
                .toArray());
        boolean first = order.indexOf(run) < order.indexOf(Run.BASELINE);
        return new PairedBlock(index, first, median(Run.BASELINE) * ratio, median(Run.BASELINE));
    }

    /** The median step of a run over blocks that have it. */
    static double median(List<RaceBlock> blocks, Run run) {
        return Quantiles.median(blocks.stream()
                .flatMapToDouble(block -> Arrays.stream(block.times().get(run)))
                .toArray());
    }
}
