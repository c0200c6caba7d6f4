package dev.tilewright.simulator.sweep;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.parameter.Scheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * All configs that were tried for one shape, each once.
 *
 * @param family kernel family
 * @param dtype of A and B
 * @param pieces the studies they come from, each in one line of text: testbed, commit, study, anchor
 * @param rows in the order in which they were tried
 */
public record StoredSweep(String family, ProblemShape shape, DataType dtype, List<String> pieces, List<SweepRow> rows) {

    /** Of the H200, which all of them are of. */
    private static final int SMS = 132;

    public StoredSweep {
        pieces = List.copyOf(pieces);
        rows = List.copyOf(rows);
        for (SweepRow row : rows) {
            if (row.piece() < 1 || row.piece() > pieces.size()) {
                throw new IllegalArgumentException(
                        "a row is of piece " + row.piece() + ", and the sweep has " + pieces.size() + " pieces");
            }
        }
    }

    /**
     * A config of a sweep as it was launched then: a persistent grid of the stored sweeps had a CTA for each SM, also
     * with clusters of four and eight, of which fewer are resident.
     */
    public static Config asLaunched(Config config) {
        return Scheduler.KEY.of(config).residentGrid() && config.whole("gridSize") == 0
                ? config.with("gridSize", ParameterValue.of(DeviceLimits.of(SMS).residentCtas(config)))
                : config;
    }

    /** The rows that have a time, each in numbers that compare within the sweep. */
    public List<Timed> timed() {
        List<SweepRow> withTime =
                rows.stream().filter(row -> row.time() != null).toList();
        OptionalDouble anchorNs = anchorNs(withTime);
        List<Timed> timed = new ArrayList<>();
        for (SweepRow row : withTime) {
            SweepRow.Time time = Objects.requireNonNull(row.time());
            Double ratio = time.anchorRatio();
            timed.add(new Timed(
                    row.config(),
                    time,
                    anchorNs.isPresent() && ratio != null ? anchorNs.getAsDouble() / ratio : time.medianNs()));
        }
        return timed;
    }

    /** The median of the anchor's times, if every row was timed beside it. */
    private static OptionalDouble anchorNs(List<SweepRow> withTime) {
        List<Double> anchors = new ArrayList<>();
        for (SweepRow row : withTime) {
            SweepRow.Time time = Objects.requireNonNull(row.time());
            Double ratio = time.anchorRatio();
            if (ratio == null) {
                return OptionalDouble.empty();
            }
            anchors.add(time.medianNs() * ratio);
        }
        Collections.sort(anchors);
        return anchors.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(anchors.get(anchors.size() / 2));
    }

    /**
     * A row with its time.
     *
     * @param ns what configs of the sweep are compared by: the time beside an anchor that always takes its median time,
     *     if every row has an anchor, for then the clock that each met does not count; otherwise the median as measured
     */
    public record Timed(Config config, SweepRow.Time time, double ns) {}

    /**
     * This sweep and what another one has beyond it: pieces that are new, and configs that have no time here.
     *
     * @throws IllegalArgumentException if the other one is of another family, shape or type
     */
    public StoredSweep with(StoredSweep more) {
        if (!family.equals(more.family) || !shape.equals(more.shape) || dtype != more.dtype) {
            throw new IllegalArgumentException("a sweep of " + family + " " + shape + " " + dtype + " takes nothing of "
                    + more.family + " " + more.shape + " " + more.dtype);
        }
        List<String> allPieces = new ArrayList<>(pieces);
        more.pieces.stream().filter(piece -> !pieces.contains(piece)).forEach(allPieces::add);
        Map<Config, SweepRow> byConfig = new LinkedHashMap<>();
        rows.forEach(row -> byConfig.put(row.config(), row));
        for (SweepRow row : more.rows) {
            int piece = allPieces.indexOf(more.pieces.get(row.piece() - 1)) + 1;
            SweepRow renumbered = new SweepRow(row.config(), piece, row.outcome(), row.time(), row.registers());
            byConfig.merge(row.config(), renumbered, (old, found) -> old.time() == null ? found : old);
        }
        return new StoredSweep(family, shape, dtype, allPieces, List.copyOf(byConfig.values()));
    }
}
