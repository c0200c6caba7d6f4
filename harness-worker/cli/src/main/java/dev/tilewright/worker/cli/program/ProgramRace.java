package dev.tilewright.worker.cli.program;

import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.PairedBlock;
import dev.tilewright.gate.decision.ProgramDecision;
import dev.tilewright.gate.decision.Sentinel;
import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.worker.cli.program.RaceBlock.Run;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Times steps of a program beside steps of its baseline, by the rules of a gate. Two sentinels run along: the baseline
 * beside itself, and beside itself with 2 % more to do. Of fifty steps that is one step more. Where so many take too
 * long, each step waits at its end; a GPU multiplies during a longer wait, since one that is limited by its power and
 * rests is faster afterwards. A question that a look has decided has no more runs.
 *
 * <p>A shared machine halves its speed for seconds at a time, on one core or on all. All runs of a block stay on one
 * core, which is drawn for the block. Where the program beside itself varies too much for a verdict even so, the race
 * begins anew, and the runs of a block take turns of a few steps, in an order that is reversed from round to round.
 *
 * @param warmUp steps that do not count: compilers and graphs come first
 * @param block the least time of the counted steps of one arm in a block
 * @param order of the runs of a block, and their core
 */
record ProgramRace(
        Arm baseline,
        Arm candidate,
        GateRule rule,
        Margins margins,
        int warmUp,
        Duration block,
        Random order,
        LongSupplier nanoTime) {

    /**
     * As the gate, up to twice as many blocks: a step of a program varies more than a kernel. From 16 blocks on, looks
     * are about as close as they may be: a block takes seconds, those behind the last look are lost when time is up,
     * and the runs of a question that is decided are left to the others. That costs 2 % of the width of the last
     * interval.
     */
    static final GateRule RULE = new GateRule(0.01, List.of(10, 16, 20, 25, 32, 40, 50, 64, 80));

    static final Duration BLOCK = Duration.ofMillis(500);

    /** Far more than the cores of a machine: none of them is drawn much more often than another. */
    private static final int CORES = 1 << 16;

    /** Percent of a step: with more in a block, the last look would not tell 1 % from nothing. */
    private static final double MOST_DEVIATION = 2.5;

    /** The questions without an answer: a block has runs for these alone. */
    private record Open(boolean effect, boolean equal, boolean slowed) {

        static final Open ALL = new Open(true, true, true);

        static Open of(ProgramTimes times) {
            return new Open(isOpen(times.effect()), isOpen(times.equal()), isOpen(times.slowed()));
        }

        private static boolean isOpen(StageDecision decision) {
            return decision.verdict() == GateVerdict.INCONCLUSIVE;
        }

        boolean isOver() {
            return !effect && !equal && !slowed;
        }

        /** The candidate has as many runs as the baseline while the two are compared. */
        List<Run> runs() {
            List<Run> runs = new ArrayList<>(List.of(Run.BASELINE));
            if (effect) {
                runs.add(Run.CANDIDATE);
            }
            if (equal) {
                runs.add(Run.AGAIN);
            }
            if (slowed) {
                runs.add(Run.SLOWED);
            }
            if (effect && equal) {
                runs.add(Run.CANDIDATE_FOLLOWS);
            }
            if (effect && slowed) {
                runs.add(Run.CANDIDATE_FOLLOWS_ON);
            }
            return runs;
        }
    }

    /**
     * Runs blocks until the rule ends.
     *
     * @param time of all blocks; the decision is then on those that are whole
     */
    ProgramTimes run(Duration time) throws IOException, InterruptedException {
        candidate.run(Arm.Turn.anywhere(warmUp));
        double step = baseline.run(Arm.Turn.anywhere(warmUp)) / warmUp;
        step = Math.min(step, baseline.run(Arm.Turn.anywhere(1)));
        candidate.run(Arm.Turn.anywhere(1));
        long began = nanoTime.getAsLong();
        BooleanSupplier late = () -> nanoTime.getAsLong() - began > time.toNanos();
        ProgramTimes steady = run(Rhythm.steady(step, block), late).orElseThrow();
        if (!varies(steady) || Open.of(steady).isOver() || late.getAsBoolean()) {
            return steady;
        }
        return run(Rhythm.inTurns(steady.baselineNs(), block), late)
                .filter(turns -> turns.equal().effect() != null)
                .orElse(steady);
    }

    /** Whether the blocks of this rhythm would never suffice. */
    private static boolean varies(ProgramTimes times) {
        Effect equal = times.equal().effect();
        return equal != null && equal.deviation() > MOST_DEVIATION;
    }

    /** Empty if time was up before there was a block; one of a single round is always taken. */
    private Optional<ProgramTimes> run(Rhythm rhythm, BooleanSupplier late) throws IOException, InterruptedException {
        List<RaceBlock> blocks = new ArrayList<>();
        int last = rule.looks().getLast();
        Open open = Open.ALL;
        while (blocks.size() < last) {
            List<Run> runs = open.runs();
            Collections.shuffle(runs, order);
            Optional<RaceBlock> block = blocks.isEmpty() || !late.getAsBoolean()
                    ? block(runs, rhythm, open.effect(), late)
                    : Optional.empty();
            if (block.isEmpty()) {
                break;
            }
            blocks.add(block.get());
            if (rule.looks().contains(blocks.size())) {
                ProgramTimes seen = seen(rhythm, blocks);
                open = Open.of(seen);
                if (open.isOver() || (rhythm.rounds() == 1 && varies(seen))) {
                    return Optional.of(seen);
                }
            }
        }
        return blocks.isEmpty() ? Optional.empty() : Optional.of(seen(rhythm, blocks));
    }

    /** Empty if time was up before its last round. */
    private Optional<RaceBlock> block(List<Run> runs, Rhythm rhythm, boolean compared, BooleanSupplier late)
            throws IOException, InterruptedException {
        OptionalInt core = OptionalInt.of(order.nextInt(CORES));
        RaceBlock taken = RaceBlock.of(runs, rhythm.rounds());
        for (int round = 0; round < rhythm.rounds(); round++) {
            if (round > 0 && late.getAsBoolean()) {
                return Optional.empty();
            }
            for (Run run : round % 2 == 0 ? runs : runs.reversed()) {
                taken.times().get(run)[round] = time(run, rhythm, core, compared);
            }
        }
        return Optional.of(taken);
    }

    /**
     * Nanoseconds of a step.
     *
     * @param compared whether the candidate must take as many steps
     */
    private double time(Run run, Rhythm rhythm, OptionalInt core, boolean compared)
            throws IOException, InterruptedException {
        Arm arm = run.ofCandidate() ? candidate : baseline;
        int more = run == Run.SLOWED ? rhythm.more() : 0;
        double wait = run == Run.SLOWED ? rhythm.waitPercent() : 0;
        // The other program had the GPU and its caches.
        arm.run(new Arm.Turn(1, wait, core));
        double took = arm.run(new Arm.Turn(rhythm.steps() + more, wait, core)) / rhythm.steps();
        if (compared && more > 0) {
            candidate.run(new Arm.Turn(more, 0, core));
        }
        return took;
    }

    private ProgramTimes seen(Rhythm rhythm, List<RaceBlock> blocks) {
        List<RaceBlock> compared =
                blocks.stream().filter(block -> block.has(Run.CANDIDATE)).toList();
        StageDecision effect = StageDecision.of(rule, margins, pairs(Run.CANDIDATE, blocks));
        StageDecision equal = StageDecision.of(rule, Sentinel.MARGINS, pairs(Run.AGAIN, blocks));
        StageDecision slowed = StageDecision.of(rule, Sentinel.MARGINS, pairs(Run.SLOWED, blocks));
        return new ProgramTimes(
                rhythm.steps() * rhythm.rounds(),
                rhythm.rounds(),
                RaceBlock.median(compared, Run.BASELINE),
                RaceBlock.median(compared, Run.CANDIDATE),
                effect,
                equal,
                slowed,
                ProgramDecision.of(margins, effect, equal, slowed));
    }

    private static List<PairedBlock> pairs(Run run, List<RaceBlock> blocks) {
        return IntStream.range(0, blocks.size())
                .filter(i -> blocks.get(i).has(run))
                .mapToObj(i -> blocks.get(i).pair(i, run))
                .toList();
    }
}
