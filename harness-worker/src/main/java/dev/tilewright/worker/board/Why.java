package dev.tilewright.worker.board;

import dev.tilewright.model.space.Config;
import dev.tilewright.worker.board.ResultDocument.Study;
import dev.tilewright.worker.board.ResultDocument.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Why the winner won, from the evidence of its trial and of the best trial with another scheduler or tile: what differs
 * is said.
 */
final class Why {

    private Why() {}

    /**
     * One line, or nothing if there is no evidence.
     *
     * @param completed the fastest first
     */
    static Optional<String> line(Study study, List<Trial> completed) {
        if (completed.isEmpty()) {
            return Optional.empty();
        }
        Trial winner = study.best() == null
                ? completed.getFirst()
                : completed.stream()
                        .filter(trial -> trial.id().equals(study.best().id()))
                        .findFirst()
                        .orElse(completed.getFirst());
        Optional<Trial> rival = completed.stream()
                .filter(trial -> trial != winner)
                .filter(trial -> !kind(trial.config()).equals(kind(winner.config())))
                .findFirst()
                .or(() -> completed.stream().filter(trial -> trial != winner).findFirst());
        return waves(winner)
                .map(waves -> rival.map(other -> "why " + form(winner, other, winner) + " won: " + waves + "; against "
                                + form(winner, other, other)
                                + String.format(Locale.ROOT, " (%.1f TFLOP/s): ", other.tflops())
                                + differences(winner, other))
                        .orElse("the only completed trial: " + waves));
    }

    private static String form(Trial winner, Trial other, Trial which) {
        return CompactConfig.of(List.of(winner.config(), other.config())).format(which.config());
    }

    /** What the evidence says, also that it says nothing. */
    private static String differences(Trial winner, Trial other) {
        List<String> differences = new ArrayList<>();
        if (!tile(winner.config()).equals(tile(other.config()))) {
            waves(other).ifPresent(waves -> differences.add("there " + waves));
        }
        idleTail(winner, other).ifPresent(differences::add);
        spread(winner, other).ifPresent(differences::add);
        asking(winner, other).ifPresent(differences::add);
        return differences.isEmpty()
                ? "same tiles for each SM and the same idle tail, so the gain is inside the tile, not in the schedule"
                : String.join("; ", differences);
    }

    /** What a user would call another choice: the scheduler and the tile. */
    private static List<String> kind(Config config) {
        return List.of("scheduler", "tileM", "tileN").stream()
                .map(name -> String.valueOf(config.values().get(name)))
                .toList();
    }

    private static Optional<String> waves(Trial trial) {
        if (!isTraced(trial)) {
            return Optional.empty();
        }
        int tiles = trial.tilesPerFreeSm().stream().mapToInt(Integer::intValue).sum();
        int sms = trial.tilesPerFreeSm().size();
        return Optional.of(String.format(
                Locale.ROOT,
                "%d tiles of %s on %d SMs (%.2f a SM)",
                tiles,
                tile(trial.config()),
                sms,
                (double) tiles / sms));
    }

    private static String tile(Config config) {
        return config.values().get("tileM") + "x" + config.values().get("tileN");
    }

    private static Optional<String> idleTail(Trial winner, Trial other) {
        Double own = winner.idleTailFraction();
        Double theirs = other.idleTailFraction();
        if (own == null || theirs == null) {
            return Optional.empty();
        }
        String mine = percent(own);
        return mine.equals(percent(theirs))
                ? Optional.empty()
                : Optional.of("idle tail " + mine + " % of SM time, there " + percent(theirs) + " %");
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f", fraction * 100);
    }

    private static Optional<String> spread(Trial winner, Trial other) {
        if (!isTraced(winner) || !isTraced(other)) {
            return Optional.empty();
        }
        TileHistogram own = TileHistogram.of(winner.tilesPerFreeSm());
        TileHistogram theirs = TileHistogram.of(other.tilesPerFreeSm());
        return own.equals(theirs)
                ? Optional.empty()
                : Optional.of("tiles per SM " + own.range() + ", there " + theirs.range());
    }

    private static Optional<String> asking(Trial winner, Trial other) {
        Optional<String> own = Asking.of(winner);
        Optional<String> theirs = Asking.of(other);
        return own.equals(theirs)
                ? Optional.empty()
                : Optional.of(own.orElse("nobody asks") + ", there " + theirs.orElse("nobody asks"));
    }

    private static boolean isTraced(Trial trial) {
        return !trial.tilesPerFreeSm().isEmpty();
    }
}
