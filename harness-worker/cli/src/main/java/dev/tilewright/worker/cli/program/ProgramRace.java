package dev.tilewright.worker.cli.program;

import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.PairedBlock;
import dev.tilewright.gate.decision.Sentinel;
import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.gate.statistics.Quantiles;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Times steps of a program with a pack beside steps of the same program without one, by the rules of a gate. Two
 * sentinels run along: the program without a pack beside itself, and beside itself with 2 % more to do. Of fifty steps
 * that is one step more. Where so many take too long, each step waits at its end: a GPU that is limited by its power
 * rests meanwhile, and is faster afterwards. What a look has decided is run no longer.
 *
 * <p>The runs of a block take turns of some steps, in an order that is drawn for the block and reversed from round to
 * round, on one core, which is drawn for the block as well. A shared machine halves its speed for seconds at a time, on
 * one core or on all: both programs must see the same of it.
 *
 * @param warmUp steps that do not count: compilers and graphs come first
 * @param block the least time of the counted steps of one arm in a block
 */
record ProgramRace(Arm plain, Arm pack, GateRule rule, Margins margins, int warmUp, Duration block, Random order) {

    /** As the gate, with one look more: a step of a program varies more than a kernel. */
    static final GateRule RULE = new GateRule(0.01, List.of(10, 20, 40, 80));

    static final Duration BLOCK = Duration.ofMillis(500);

    /** A turn is short beside the seconds in which a host keeps its speed. */
    private static final int TURNS = 25;

    /** The first step of a turn does not count, and costs time: so many follow it. */
    private static final int STEPS_OF_A_TURN = 2;

    /** More than the cores of a machine, and a multiple of what most have: none of them is drawn more often. */
    private static final int CORES = 1 << 16;

    /** One step more than so many is as much as the sentinel must take longer. */
    private static final int SLOWED_BY_ONE = (int) Math.round(100 / Sentinel.SLOWED.slowedByPercent());

    /** A block has whole times that many steps if they take no longer than so many blocks. */
    private static final int LONGEST = 3;

    /** The runs of a block. */
    private enum Run {
        PLAIN,
        PACK,
        /** Without the pack once more. */
        AGAIN,
        /** Without the pack, slowed. */
        SLOWED,
        /** With the pack, and not counted, as the next: both programs take as many steps, which may grow longer. */
        PACK_FOLLOWS,
        PACK_FOLLOWS_ON;

        private boolean withPack() {
            return this == PACK || this == PACK_FOLLOWS || this == PACK_FOLLOWS_ON;
        }
    }

    /**
     * The outcome of the blocks until now.
     *
     * @param steps of an arm in a block
     * @param plainNs median nanoseconds of a step without the pack
     * @param packNs the same with it
     * @param effect of the pack: above 0 the program is slower with it
     */
    record Seen(
            int steps, double plainNs, double packNs, StageDecision effect, StageDecision equal, StageDecision slowed) {

        /** Whether the sentinels came out as they must: this GPU can tell. */
        boolean isTrusted() {
            return equal.verdict() == GateVerdict.PASS && slowed.verdict() == GateVerdict.FAIL;
        }

        private Open open() {
            return new Open(isOpen(effect), isOpen(equal), isOpen(slowed));
        }

        private static boolean isOpen(StageDecision decision) {
            return decision.verdict() == GateVerdict.INCONCLUSIVE;
        }
    }

    /** The questions without an answer: a block has runs for these alone. */
    private record Open(boolean effect, boolean equal, boolean slowed) {

        static final Open ALL = new Open(true, true, true);

        boolean isOver() {
            return !effect && !equal && !slowed;
        }

        /** The program with the pack has as many runs as the one without it while the two are compared. */
        List<Run> runs() {
            List<Run> runs = new ArrayList<>(List.of(Run.PLAIN));
            if (effect) {
                runs.add(Run.PACK);
            }
            if (equal) {
                runs.add(Run.AGAIN);
            }
            if (slowed) {
                runs.add(Run.SLOWED);
            }
            if (effect && equal) {
                runs.add(Run.PACK_FOLLOWS);
            }
            if (effect && slowed) {
                runs.add(Run.PACK_FOLLOWS_ON);
            }
            return runs;
        }
    }

    /**
     * Runs blocks until the rule ends.
     *
     * @param late whether time is up; what was seen until then is decided
     */
    Seen run(BooleanSupplier late) throws IOException, InterruptedException {
        pack.run(Arm.Turn.anywhere(warmUp));
        double step = plain.run(Arm.Turn.anywhere(warmUp)) / warmUp;
        step = Math.min(step, plain.run(Arm.Turn.anywhere(1)));
        pack.run(Arm.Turn.anywhere(1));
        int steps = steps(step);
        int rounds = rounds(steps, step);
        List<Map<Run, Double>> blocks = new ArrayList<>();
        List<List<Run>> orders = new ArrayList<>();
        int last = rule.looks().getLast();
        Open open = Open.ALL;
        while (blocks.size() < last && (blocks.isEmpty() || !late.getAsBoolean())) {
            List<Run> runs = open.runs();
            Collections.shuffle(runs, order);
            OptionalInt core = OptionalInt.of(order.nextInt(CORES));
            Map<Run, Double> times = new EnumMap<>(Run.class);
            for (int round = 0; round < rounds; round++) {
                Share share = new Share(round, rounds);
                for (Run run : round % 2 == 0 ? runs : runs.reversed()) {
                    times.merge(run, time(run, steps, share, step, core, open.effect()) / steps, Double::sum);
                }
            }
            blocks.add(times);
            orders.add(runs);
            if (rule.looks().contains(blocks.size())) {
                Seen seen = seen(steps, blocks, orders);
                open = seen.open();
                if (open.isOver()) {
                    return seen;
                }
            }
        }
        return seen(steps, blocks, orders);
    }

    /** The steps of an arm in a block, of so many nanoseconds each. */
    private int steps(double step) {
        int least = (int) Math.clamp(Math.ceil(block.toNanos() / step), 1, 100_000);
        int whole = Math.ceilDiv(least, SLOWED_BY_ONE) * SLOWED_BY_ONE;
        return whole * step <= LONGEST * block.toNanos() ? whole : least;
    }

    /** The turns of each run of a block, for so many steps of so many nanoseconds. */
    private int rounds(int steps, double step) {
        double least = Math.ceil(block.toNanos() / step / TURNS);
        return (int) Math.ceil(steps / Math.max(STEPS_OF_A_TURN, least));
    }

    /** A round's part of all. */
    private record Share(int round, int rounds) {
        int of(int all) {
            return all * (round + 1) / rounds - all * round / rounds;
        }
    }

    /**
     * The nanoseconds of a turn.
     *
     * @param all the steps of the run in all rounds
     * @param compared whether the program with the pack must take as many steps
     */
    private double time(Run run, int all, Share share, double step, OptionalInt core, boolean compared)
            throws IOException, InterruptedException {
        Arm arm = run.withPack() ? pack : plain;
        boolean byOne = all % SLOWED_BY_ONE == 0;
        int more = run == Run.SLOWED && byOne ? share.of(all / SLOWED_BY_ONE) : 0;
        double wait = run == Run.SLOWED && !byOne ? step * Sentinel.SLOWED.slowedByPercent() / 100 : 0;
        // The other program had the GPU and its caches.
        arm.run(new Arm.Turn(1, wait, core));
        double took = arm.run(new Arm.Turn(share.of(all) + more, wait, core));
        if (compared && more > 0) {
            pack.run(new Arm.Turn(more, 0, core));
        }
        return took;
    }

    private Seen seen(int steps, List<Map<Run, Double>> blocks, List<List<Run>> orders) {
        return new Seen(
                steps,
                median(blocks, Run.PLAIN),
                median(blocks, Run.PACK),
                StageDecision.of(rule, margins, pairs(Run.PACK, blocks, orders)),
                StageDecision.of(rule, Sentinel.MARGINS, pairs(Run.AGAIN, blocks, orders)),
                StageDecision.of(rule, Sentinel.MARGINS, pairs(Run.SLOWED, blocks, orders)));
    }

    private static double median(List<Map<Run, Double>> blocks, Run run) {
        return Quantiles.median(blocks.stream()
                .filter(times -> times.containsKey(run))
                .mapToDouble(times -> times.get(run))
                .toArray());
    }

    private static List<PairedBlock> pairs(Run candidate, List<Map<Run, Double>> blocks, List<List<Run>> orders) {
        List<PairedBlock> pairs = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            Map<Run, Double> times = blocks.get(i);
            if (!times.containsKey(candidate)) {
                continue;
            }
            boolean first = orders.get(i).indexOf(candidate) < orders.get(i).indexOf(Run.PLAIN);
            pairs.add(new PairedBlock(i, first, times.get(candidate), times.get(Run.PLAIN)));
        }
        return pairs;
    }
}
