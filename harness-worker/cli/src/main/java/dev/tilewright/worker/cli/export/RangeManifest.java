package dev.tilewright.worker.cli.export;

import dev.tilewright.launch.program.RangeProgram;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code NAME.json} of an exported range: which kernel is launched with which M, and where the table comes from.
 *
 * @param kind {@code measured} or {@code simulated}
 * @param origin the job of the table, or the model
 * @param sms of the GPU that the grids are for
 * @param hash of the table
 * @param regret {@code null} where nobody looked
 */
record RangeManifest(
        String name,
        String kind,
        String origin,
        ProblemDocument problem,
        int sms,
        String hash,
        List<Row> kernels,
        @Nullable Regret regret) {

    /**
     * A row of the table.
     *
     * @param file the text of the kernel
     * @param usFrom microseconds of a launch with the least M; {@code null} where nobody looked
     */
    record Row(
            int from,
            int to,
            String file,
            Config config,
            @Nullable Double usFrom,
            @Nullable Double usTo) {}

    static RangeManifest of(String name, ExportFolder.OfRange range, RangeProgram program) {
        List<Config> configs =
                range.export().kernels().stream().map(kernel -> kernel.config()).toList();
        return new RangeManifest(
                name,
                range.simulated() ? "simulated" : "measured",
                range.origin(),
                ProblemDocument.of(range.export().problem()),
                range.export().sms(),
                program.hash(),
                range.table().stream()
                        .map(span -> new Row(
                                span.from(),
                                span.to(),
                                name + "_" + configs.indexOf(span.config()) + ".ptx",
                                span.config(),
                                known(span.usFrom()),
                                known(span.usTo())))
                        .toList(),
                range.regret().orElse(null));
    }

    private static @Nullable Double known(double us) {
        return Optional.of(us).filter(time -> time > 0).orElse(null);
    }
}
