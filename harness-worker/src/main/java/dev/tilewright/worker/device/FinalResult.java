package dev.tilewright.worker.device;

import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Discard;
import java.util.List;

/** What came of a final on a device; the words are those of {@link Report.Finished}. */
public record FinalResult(
        List<Report.Arm> arms,
        List<Report.ArmRatio> ratios,
        List<Report.Block> blocks,
        List<Discard> discards,
        String log) {}
