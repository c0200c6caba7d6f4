package dev.tilewright.worker.gpu.measure;

import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.gpu.stats.PairedBlocks;
import dev.tilewright.worker.gpu.stats.race.Turns;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a measurement of several arms.
 *
 * @param blocks those that count
 * @param discards those that do not
 * @param notes what is worth knowing though it changes nothing, such as a clock that never settled
 */
public record Timed(List<TimedBlock> blocks, List<Discard> discards, List<String> notes) {

    public Timed {
        blocks = List.copyOf(blocks);
        discards = List.copyOf(discards);
        notes = List.copyOf(notes);
    }

    /** Nothing. */
    public static final Timed NOTHING = new Timed(List.of(), List.of(), List.of());

    /** Both together. */
    public Timed plus(Timed other) {
        return new Timed(
                Stream.concat(blocks.stream(), other.blocks.stream()).toList(),
                Stream.concat(discards.stream(), other.discards.stream()).toList(),
                Stream.concat(notes.stream(), other.notes.stream()).toList());
    }

    /** The runs of one arm, in the order of the blocks. */
    public List<Run> runs(String arm, Mode mode) {
        return List.copyOf(
                byIndex(arm, mode).values().stream().map(TimedBlock::run).toList());
    }

    /**
     * Two arms in the blocks in which both ran.
     *
     * @throws IllegalArgumentException if these are fewer than 2
     */
    public PairedBlocks paired(String first, String second, Mode mode) {
        Map<Integer, TimedBlock> firsts = byIndex(first, mode);
        Map<Integer, TimedBlock> seconds = byIndex(second, mode);
        firsts.keySet().retainAll(seconds.keySet());
        seconds.keySet().retainAll(firsts.keySet());
        return PairedBlocks.of(durations(firsts), durations(seconds));
    }

    /** Some arms in the turns in which all of them ran. */
    public Turns turns(List<? extends Arm> arms, Mode mode) {
        List<Map<Integer, TimedBlock>> blocks =
                arms.stream().map(arm -> byIndex(arm.name(), mode)).toList();
        blocks.forEach(one -> blocks.forEach(other -> one.keySet().retainAll(other.keySet())));
        return Turns.of(blocks.stream().map(Timed::durations).toList());
    }

    private static double[] durations(Map<Integer, TimedBlock> blocks) {
        return blocks.values().stream()
                .mapToDouble(block -> block.run().launchNs())
                .toArray();
    }

    private Map<Integer, TimedBlock> byIndex(String arm, Mode mode) {
        return blocks.stream()
                .filter(block -> block.mode() == mode && block.arm().equals(arm))
                .collect(Collectors.toMap(TimedBlock::index, block -> block, Timed::twice, TreeMap::new));
    }

    private static TimedBlock twice(TimedBlock one, TimedBlock other) {
        throw new IllegalStateException(
                "blocks of two measurements are mixed: " + one.arm() + " is twice in block " + other.index());
    }
}
