package dev.tilewright.worker.measure;

import dev.tilewright.model.trial.Mode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * The final: all arms beside each other in steady state. In each turn every arm runs once, in an order drawn anew;
 * before it is timed, an arm runs alone until the clock has settled on its own load. A turn in which the GPU was slowed
 * down by heat or a fault is discarded for all arms alike, before anybody looks at its times.
 */
public final class FinalRound {

    private final Stopwatch stopwatch;
    private final TimingPlan plan;
    private final Random random;

    /**
     * A final.
     *
     * @param seed of the order of the arms
     */
    public FinalRound(Stopwatch stopwatch, TimingPlan plan, long seed) {
        this.stopwatch = stopwatch;
        this.plan = plan;
        this.random = new Random(seed);
    }

    /**
     * What a final gives.
     *
     * @param blocks those that count, one for each arm in each accepted turn
     * @param discarded why each discarded turn does not count
     */
    public record Result(List<TimedBlock> blocks, List<String> discarded) {

        /** The runs of one arm, in the order of the blocks. */
        public List<Run> runs(String arm, Mode mode) {
            return blocks.stream()
                    .filter(block -> block.mode() == mode && block.arm().equals(arm))
                    .map(TimedBlock::run)
                    .toList();
        }
    }

    /**
     * Times all arms in all modes. More than a fifth of the turns discarded ends a mode early, with the turns it has.
     */
    public Result run(List<Arm> arms, List<Mode> modes) {
        List<TimedBlock> blocks = new ArrayList<>();
        List<String> discarded = new ArrayList<>();
        Map<String, Double> launchNs = new HashMap<>();
        for (Arm arm : arms) {
            launchNs.put(
                    arm.name(), stopwatch.sustained(arm, plan.leastLaunches()).launchNs());
        }
        int tolerated = Math.ceilDiv(plan.turns(), 5);
        for (Mode mode : modes) {
            int accepted = 0;
            int rejected = 0;
            while (accepted < plan.turns() && rejected <= tolerated) {
                List<TimedBlock> turn = turn(arms, mode, accepted, launchNs);
                List<String> reasons = turn.stream()
                        .filter(block -> block.run().isInvalid())
                        .map(block -> "%s turn %d: throttle reasons 0x%x while %s ran"
                                .formatted(mode, block.index(), block.run().throttleReasons(), block.arm()))
                        .toList();
                if (reasons.isEmpty()) {
                    blocks.addAll(turn);
                    accepted++;
                } else {
                    discarded.addAll(reasons);
                    rejected++;
                }
            }
        }
        return new Result(List.copyOf(blocks), List.copyOf(discarded));
    }

    private List<TimedBlock> turn(List<Arm> arms, Mode mode, int index, Map<String, Double> launchNs) {
        List<Arm> order = new ArrayList<>(arms);
        Collections.shuffle(order, random);
        List<TimedBlock> turn = new ArrayList<>();
        for (Arm arm : order) {
            turn.add(new TimedBlock(index, mode, arm.name(), block(arm, mode, launchNs)));
        }
        return turn;
    }

    private Run block(Arm arm, Mode mode, Map<String, Double> launchNs) {
        return switch (mode) {
            case SUSTAINED -> {
                double expected = Objects.requireNonNull(launchNs.get(arm.name()));
                Run settling = stopwatch.sustained(arm, plan.launches(expected, plan.settleNs()));
                // The settled clock is lower than the first: what was just seen says how many launches the timed part
                // needs.
                launchNs.put(arm.name(), settling.launchNs());
                yield stopwatch.sustained(arm, plan.launches(settling.launchNs(), plan.timedNs()));
            }
            case COLD -> stopwatch.cold(arm, plan.coldLaunches());
        };
    }
}
