package dev.tilewright.api.web.shape;

import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.model.problem.ProblemShape;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Best configs as RFC 4180 has tables: a head, then a line for each. Numbers are whole, with a decimal point; nothing
 * stands for what is not known.
 */
final class BestCsv {

    private static final List<String> HEAD = List.of(
            "shape",
            "m",
            "n",
            "k",
            "type",
            "family",
            "gpu",
            "driver",
            "assembler",
            "config",
            "tflops",
            "median_ns",
            "ci_low_ns",
            "ci_high_ns",
            "gb_per_second",
            "roofline_share",
            "ratio_to_default",
            "ratio_to_default_low",
            "ratio_to_default_high",
            "ratio_to_best_peer",
            "ratio_to_best_peer_low",
            "ratio_to_best_peer_high",
            "best_peer",
            "trial_id",
            "study_id",
            "finished_at",
            "stale");

    private BestCsv() {}

    static String of(List<BestConfig> all) {
        return Stream.concat(Stream.of(HEAD), all.stream().map(BestCsv::cells))
                .map(cells -> cells.stream().map(BestCsv::quoted).collect(Collectors.joining(",", "", "\r\n")))
                .collect(Collectors.joining());
    }

    private static List<String> cells(BestConfig best) {
        ProblemShape shape = best.problem().problem().shape();
        List<Double> toDefault = Objects.requireNonNullElse(best.ratioToDefaultCi(), List.of());
        List<Double> toPeer = Objects.requireNonNullElse(best.ratioToBestPeerCi(), List.of());
        return Stream.of(
                        best.shape(),
                        shape.m(),
                        shape.n(),
                        shape.k(),
                        best.dtype(),
                        best.family(),
                        best.testbed().device(),
                        best.testbed().driver(),
                        best.testbed().assembler(),
                        best.config().canonical(),
                        best.tflops(),
                        best.medianNs(),
                        said(best.ciLowNs()),
                        said(best.ciHighNs()),
                        best.gbPerSecond(),
                        said(best.rooflineShare()),
                        said(best.ratioToDefault()),
                        toDefault.isEmpty() ? "" : toDefault.getFirst(),
                        toDefault.isEmpty() ? "" : toDefault.getLast(),
                        said(best.ratioToBestPeer()),
                        toPeer.isEmpty() ? "" : toPeer.getFirst(),
                        toPeer.isEmpty() ? "" : toPeer.getLast(),
                        said(best.bestPeer()),
                        best.trialId(),
                        best.studyId(),
                        said(best.finishedAt()),
                        said(best.stale()))
                .map(Object::toString)
                .toList();
    }

    private static Object said(@Nullable Object value) {
        return value == null ? "" : value;
    }

    private static String quoted(String cell) {
        return cell.matches("(?s).*[,\"\r\n].*") ? "\"" + cell.replace("\"", "\"\"") + "\"" : cell;
    }
}
