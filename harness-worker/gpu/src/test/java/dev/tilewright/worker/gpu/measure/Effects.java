package dev.tilewright.worker.gpu.measure;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.gpu.stats.Effect;
import java.util.Comparator;
import java.util.List;

/** How much slower one arm of a sustained measurement is than another, with everything that blocks say about it. */
public final class Effects {

    private Effects() {}

    /** @param timed a measurement of these two arms alone */
    public static Effect of(Timed timed, String first, String second, double alpha, long seed) {
        List<TimedBlock> seconds = timed.blocks().stream()
                .filter(block -> block.arm().equals(second))
                .sorted(Comparator.comparingInt(TimedBlock::index))
                .toList();
        boolean[] secondFirst = new boolean[seconds.size()];
        for (int block = 0; block < secondFirst.length; block++) {
            secondFirst[block] = seconds.get(block).position() == 0;
        }
        return Effect.of(timed.paired(first, second, Mode.SUSTAINED), secondFirst, alpha, seed);
    }
}
