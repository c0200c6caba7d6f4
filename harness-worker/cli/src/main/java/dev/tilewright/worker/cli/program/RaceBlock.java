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
        PLAIN,
        PACK,
        /** Without the pack once more. */
        AGAIN,
        /** Without the pack, slowed. */
        SLOWED,
        /** With the pack, and not counted, as the next: both programs take as many steps, which may grow longer. */
        PACK_FOLLOWS,
        PACK_FOLLOWS_ON;

        boolean withPack() {
            return this == PACK || this == PACK_FOLLOWS || this == PACK_FOLLOWS_ON;
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
     * A candidate beside the program without the pack. Their ratio is the median of those of the rounds: a round in
     * which the machine changes its speed is one of many.
     */
    PairedBlock pair(int index, Run candidate) {
        double[] candidates = times.get(candidate);
        double[] plain = times.get(Run.PLAIN);
        double ratio = Quantiles.median(IntStream.range(0, plain.length)
                .mapToDouble(round -> candidates[round] / plain[round])
                .toArray());
        boolean first = order.indexOf(candidate) < order.indexOf(Run.PLAIN);
        return new PairedBlock(index, first, median(Run.PLAIN) * ratio, median(Run.PLAIN));
    }

    /** The median step of a run over blocks that have it. */
    static double median(List<RaceBlock> blocks, Run run) {
        return Quantiles.median(blocks.stream()
                .flatMapToDouble(block -> Arrays.stream(block.times().get(run)))
                .toArray());
    }
}
