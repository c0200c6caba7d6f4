package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.measure.Stopwatch;
import dev.tilewright.worker.gpu.peer.PeerArm;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.peer.PeerDraw;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A short look at as many kernels of a peer as fit into a budget of time: those join the race that are about as fast as
 * what the peer returns by itself, and right.
 *
 * @param nanoTime clock of the host, in nanoseconds
 */
record PeerScreen(Gpu gpu, Stopwatch stopwatch, LongSupplier nanoTime) {

    /** The most kernels that join: each that is as fast as the best stays to the end, and makes a final longer. */
    static final int MOST = 2;

    /** How many of the fastest are looked at again before the best of them join, and how often, in turn. */
    private static final int AGAIN = 8;

    private static final int TURNS = 5;

    /** A kernel joins if a screen says that it is at most so much slower than the best that the peer returns. */
    private static final double MARGIN = 1.02;

    /** After one launch that takes so much longer than the fastest there is no second look. */
    private static final double HOPELESS = 1.5;

    /** Nanoseconds of launches of a second look, and the most launches of one. */
    private static final double LOOK_NS = 400_000;

    private static final int MOST_LAUNCHES = 16;

    /** An arm with the time of a launch, in nanoseconds. */
    private record Timed(PeerArm arm, double launchNs) {}

    /**
     * Searches.
     *
     * @param seed of the order
     * @param join takes one into the race; whether its result is right
     */
    PeerSearch search(String peer, PeerArms.Found found, double budget, long seed, Predicate<PeerArm> join) {
        long start = nanoTime.getAsLong();
        long end = start + (long) (budget * 1e9);
        double fastest = found.arms().stream()
                .mapToDouble(arm -> looked(arm.arm(), Double.POSITIVE_INFINITY))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        double bound = fastest * MARGIN;
        List<Timed> timed = new ArrayList<>();
        PeerDraw draw = found.more().apply(seed);
        int failed = 0;
        while (nanoTime.getAsLong() < end) {
            Optional<PeerArm> next = draw.next();
            if (next.isEmpty() && draw.isOver()) {
                break;
            }
            if (next.isPresent()) {
                try {
                    double launchNs = looked(next.get().arm(), fastest);
                    timed.add(new Timed(next.get(), launchNs));
                    fastest = Math.min(fastest, launchNs);
                } catch (CudaException refused) {
                    refused.throwIfSticky();
                    failed++;
                }
            }
        }
        int joined = 0;
        int wrong = 0;
        for (Timed each : again(timed.stream()
                .filter(each -> each.launchNs() <= bound)
                .sorted(Comparator.comparingDouble(Timed::launchNs))
                .limit(AGAIN)
                .toList())) {
            if (joined < MOST) {
                boolean isRight = join.test(each.arm());
                joined += isRight ? 1 : 0;
                wrong += isRight ? 0 : 1;
            }
        }
        PeerDraw.Seen seen = draw.seen();
        return new PeerSearch(
                peer,
                budget,
                (nanoTime.getAsLong() - start) / 1e9,
                seen.tried(),
                seen.valid(),
                seen.kernels(),
                timed.size() + failed + seen.refused(),
                failed + wrong + seen.refused(),
                joined,
                seen.trouble());
    }

    /** The same by the medians of more looks, taken in turn. */
    private List<Timed> again(List<Timed> fastest) {
        double[][] looks = new double[fastest.size()][TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            for (int i = 0; i < looks.length; i++) {
                Timed each = fastest.get(i);
                looks[i][turn] = stopwatch
                        .sustained(each.arm().arm(), launches(each.launchNs()))
                        .launchNs();
            }
        }
        return IntStream.range(0, looks.length)
                .mapToObj(i -> new Timed(fastest.get(i).arm(), Quantiles.median(looks[i])))
                .sorted(Comparator.comparingDouble(Timed::launchNs))
                .toList();
    }

    private static int launches(double launchNs) {
        return (int) Math.clamp(LOOK_NS / launchNs, 2, MOST_LAUNCHES);
    }

    /** Nanoseconds of a launch: of the first, or of some more if it may be among the fastest. */
    private double looked(Arm arm, double fastest) {
        // Once outside a plug: what the driver loads for a first launch must not be loaded behind one.
        arm.enqueue(0);
        gpu.synchronize();
        double first = stopwatch.sustained(arm, 1).launchNs();
        if (first > HOPELESS * fastest) {
            return first;
        }
        return Math.min(first, stopwatch.sustained(arm, launches(first)).launchNs());
    }
}
