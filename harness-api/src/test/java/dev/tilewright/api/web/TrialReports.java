package dev.tilewright.api.web;

import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.TrialOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reports of trials with all that the page of one shows. */
final class TrialReports {

    /** A kernel of ours, which names its warp roles. */
    private static final Path PTX = Path.of("../docs/examples/check/sm90-gemm.ptx");

    private TrialReports() {}

    /** The same, of a kernel whose files are kept. */
    static Report.Screened withText(Report.Screened report) {
        byte[] ptx = read();
        byte[] cubin = "a cubin".getBytes(StandardCharsets.UTF_8);
        byte[] launch = "{}".getBytes(StandardCharsets.UTF_8);
        TrialResult said = report.result();
        return new Report.Screened(
                report.fence(),
                new TrialResult(
                        said.outcome(),
                        said.errorRatio(),
                        new Compilation(168, 0, 200_000, Sha256.hex(ptx), Sha256.hex(cubin)),
                        said.executed(),
                        said.measurements(),
                        said.evidence(),
                        said.checked(),
                        said.timesNs(),
                        said.log()),
                KernelFiles.packed(ptx, cubin, launch).orElseThrow());
    }

    /** What a worker says of a kernel that the assembler could only make with spills. */
    static Report.Screened spilled(Lease lease) {
        return new Report.Screened(
                lease.fence(),
                new TrialResult(
                        TrialOutcome.SPILL,
                        null,
                        new Compilation(168, 72, 200_000, "0".repeat(64), "1".repeat(64)),
                        null,
                        List.of(),
                        null,
                        null,
                        Map.of("build", 3_200_000L, "assemble", 1_450_000_000L),
                        "ptxas info    : 72 bytes stack frame, 36 bytes spill stores, 36 bytes spill loads"));
    }

    private static byte[] read() {
        try {
            return Files.readAllBytes(PTX);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
