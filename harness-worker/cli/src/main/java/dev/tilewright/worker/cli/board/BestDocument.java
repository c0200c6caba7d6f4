package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code GET /api/v1/best} answers; only what is shown. */
public record BestDocument(List<Item> items) {

    /** The best config of a problem on a testbed. */
    public record Item(
            ProblemDocument problem,
            String shape,
            String dtype,
            String family,
            Testbed testbed,
            Config config,
            double tflops,
            double medianNs,
            @Nullable Double ciLowNs,
            @Nullable Double ciHighNs,
            @Nullable Double ratioToBestPeer,
            @Nullable List<Double> ratioToBestPeerCi,
            @Nullable String finishedAt,
            @Nullable String stale) {}
}
