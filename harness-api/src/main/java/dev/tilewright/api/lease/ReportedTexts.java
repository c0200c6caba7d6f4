package dev.tilewright.api.lease;

import dev.tilewright.api.check.CheckService;
import dev.tilewright.api.kernel.KernelService;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.TrialResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Keeps what reports bring beside a result: the files of a kernel, and what the emulator said of its text. */
@Service
record ReportedTexts(CheckService checks, KernelService kernels) {

    /**
     * Keeps the kernels of trials that have just ended, and what the emulator said of their texts; each check by
     * itself, for transactions that hold several texts could wait for each other in a ring. Whoever dies in between
     * loses what can be built again.
     *
     * @param ended leases of these trials
     */
    void keep(UUID workerId, List<ReportBatch.LeaseReport> reports, List<UUID> ended) {
        Map<UUID, KernelFiles> kept = new LinkedHashMap<>();
        for (ReportBatch.LeaseReport each : reports) {
            if (each.report() instanceof Report.Screened(var _, TrialResult result, KernelFiles files)
                    && result.compilation() != null
                    && ended.contains(each.leaseId())) {
                if (result.checked() != null) {
                    checks.keep(result.compilation().ptxHash(), workerId, result.checked());
                }
                if (files != null) {
                    kept.put(each.leaseId(), files);
                }
            }
        }
        if (!kept.isEmpty()) {
            kernels.keep(kept);
        }
    }
}
