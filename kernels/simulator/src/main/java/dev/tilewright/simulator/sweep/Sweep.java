package dev.tilewright.simulator.sweep;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All configs that were tried for one shape, each once.
 *
 * @param family kernel family
 * @param dtype of A and B
 * @param pieces the studies they come from, each in one line of text: testbed, commit, study, anchor
 * @param rows in the order in which they were tried
 */
public record Sweep(String family, ProblemShape shape, DataType dtype, List<String> pieces, List<SweepRow> rows) {

    public Sweep {
        pieces = List.copyOf(pieces);
        rows = List.copyOf(rows);
        for (SweepRow row : rows) {
            if (row.piece() < 1 || row.piece() > pieces.size()) {
                throw new IllegalArgumentException(
                        "a row is of piece " + row.piece() + ", and the sweep has " + pieces.size() + " pieces");
            }
        }
    }

    /** The problem that was tuned. */
    public Problem problem() {
        return Problem.of(shape, dtype);
    }

    /** The rows that have a time, each in numbers that compare within the sweep. */
    public List<Timed> timed() {
        boolean anchored = rows.stream()
                .map(SweepRow::time)
                .allMatch(time -> time == null || time.anchorRatio() != null);
        List<Timed> timed = new ArrayList<>();
        for (SweepRow row : rows) {
            SweepRow.Time time = row.time();
            if (time != null) {
                Double ratio = time.anchorRatio();
                timed.add(new Timed(row.config(), time, anchored && ratio != null ? 1 / ratio : time.medianNs()));
            }
        }
        return timed;
    }

    /**
     * A row with its time.
     *
     * @param cost what configs of the sweep are compared by, less is better: the time in units of the anchor's if every
     *     row has one, otherwise the median in nanoseconds
     */
    public record Timed(Config config, SweepRow.Time time, double cost) {}

    /**
     * This sweep and what another one has beyond it: pieces that are new, and configs that have no time here.
     *
     * @throws IllegalArgumentException if the other one is of another family, shape or type
     */
    public Sweep with(Sweep more) {
        if (!family.equals(more.family) || !shape.equals(more.shape) || dtype != more.dtype) {
            throw new IllegalArgumentException("a sweep of " + family + " " + shape + " " + dtype
                    + " takes nothing of " + more.family + " " + more.shape + " " + more.dtype);
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
        return new Sweep(family, shape, dtype, allPieces, List.copyOf(byConfig.values()));
    }
}
