package dev.tilewright.model.trial;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** When the tiles of a run began and ended, and what that says of its tile scheduler. */
public final class TileTimes {

    /**
     * The times of single tiles are kept of runs with at most so many, padding included: all or none, since a part of
     * them would look like gaps. So many are 60 KB of JSON.
     */
    public static final int MOST = 4096;

    private TileTimes() {}

    /**
     * A CTA tile, or a piece of one.
     *
     * @param smId the SM that computed it
     * @param startNs on any scale that all tiles share
     * @param padding whether it holds no output
     */
    public record Tile(int smId, long startNs, long endNs, boolean padding) {}

    /**
     * Sums up one run. Padding tiles count as time, not as tiles. An SM without any tile has 0 for both its times and
     * is idle for the whole run, unless somebody else held it.
     *
     * @param smCount SMs of the device; entry i of each list belongs to SM id i
     * @param heldSms ids of the SMs that somebody else held for the whole run
     * @throws IllegalArgumentException if there is no tile, or one names an SM that the device does not have or that
     *     was held
     */
    public static SchedulerEvidence evidence(List<Tile> tiles, int smCount, Collection<Integer> heldSms) {
        Set<Integer> held = new TreeSet<>(heldSms);
        if (tiles.isEmpty()) {
            throw new IllegalArgumentException("a trace without records is no evidence");
        }
        long origin = tiles.stream().mapToLong(Tile::startNs).min().orElseThrow();
        Long[] first = new Long[smCount];
        Long[] last = new Long[smCount];
        Integer[] counts = new Integer[smCount];
        Arrays.fill(first, 0L);
        Arrays.fill(last, 0L);
        Arrays.fill(counts, 0);
        List<Tile> ordered = tiles.stream()
                .sorted(Comparator.comparingLong(Tile::startNs).thenComparingLong(Tile::endNs))
                .toList();
        for (Tile tile : ordered.reversed()) {
            int sm = tile.smId();
            require(sm, smCount, held);
            first[sm] = tile.startNs() - origin;
            last[sm] = Math.max(last[sm], tile.endNs() - origin);
            counts[sm] += tile.padding() ? 0 : 1;
        }
        long end = Arrays.stream(last).mapToLong(Long::longValue).max().orElseThrow();
        double idle = IntStream.range(0, smCount)
                .filter(sm -> !held.contains(sm))
                .mapToDouble(sm -> end - last[sm])
                .sum();
        return new SchedulerEvidence(
                List.of(counts),
                List.of(first),
                List.of(last),
                end == 0 ? 0 : idle / ((double) end * (smCount - held.size())),
                null,
                List.of(),
                null,
                List.copyOf(held),
                times(ordered, origin, smCount));
    }

    /**
     * Share of the time of the SMs that nobody held in which an SM had no tile, before its first one or between two;
     * empty where the times of single tiles were not kept.
     */
    public static OptionalDouble gapFraction(SchedulerEvidence evidence) {
        List<List<Long>> times = evidence.tileNs();
        int free = evidence.tilesPerSm().size() - evidence.heldSms().size();
        long end =
                evidence.lastEndNs().stream().mapToLong(Long::longValue).max().orElse(0);
        return times == null || free == 0 || end == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(times.stream().mapToDouble(TileTimes::gapNs).sum() / ((double) end * free));
    }

    /** Of an SM. */
    private static double gapNs(List<Long> times) {
        long covered = 0;
        double gaps = 0;
        for (int i = 0; i < times.size(); i += 2) {
            gaps += Math.max(0, times.get(i) - covered);
            covered = Math.max(covered, times.get(i + 1));
        }
        return gaps;
    }

    private static void require(int sm, int smCount, Set<Integer> held) {
        if (sm < 0 || sm >= smCount) {
            throw new IllegalArgumentException("a trace names SM " + sm + " of a device with " + smCount + " SMs");
        }
        if (held.contains(sm)) {
            throw new IllegalArgumentException("a trace names SM " + sm + ", which was held all the time");
        }
    }

    private static @Nullable List<List<Long>> times(List<Tile> ordered, long origin, int smCount) {
        if (ordered.size() > MOST) {
            return null;
        }
        List<List<Long>> times = new ArrayList<>();
        for (int sm = 0; sm < smCount; sm++) {
            times.add(new ArrayList<>());
        }
        for (Tile tile : ordered) {
            times.get(tile.smId()).add(tile.startNs() - origin);
            times.get(tile.smId()).add(tile.endNs() - origin);
        }
        return times;
    }
}
