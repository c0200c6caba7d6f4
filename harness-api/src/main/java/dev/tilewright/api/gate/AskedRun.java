package dev.tilewright.api.gate;

import dev.tilewright.model.exchange.DeviceSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that keeps every rule, with its defaults. */
public record AskedRun(
        @Nullable String commit,
        @Nullable String branch,
        DeviceSelector device,
        List<CaseSpec> cases,
        @Nullable Double budgetSeconds,
        @Nullable Integer retuneSeconds,
        long seed) {

    public AskedRun {
        cases = List.copyOf(cases);
    }

    /** Whether a real GPU is asked for; a model measures nothing. */
    boolean isMeasured() {
        return !(device instanceof DeviceSelector.OnCpu);
    }
}
