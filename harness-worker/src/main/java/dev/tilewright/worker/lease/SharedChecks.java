package dev.tilewright.worker.lease;

import dev.tilewright.model.trial.Checked;
import dev.tilewright.worker.check.CheckStore;
import dev.tilewright.worker.client.ApiRefusedException;
import java.io.IOException;
import java.util.Optional;

/** The checks that the API keeps for all workers. */
public record SharedChecks(WorkerSession session) implements CheckStore {

    @Override
    public Optional<Checked> find(String ptxHash, String emulator) throws IOException, InterruptedException {
        try {
            return session.check(ptxHash, emulator);
        } catch (ApiRefusedException refused) {
            throw refusal(refused);
        }
    }

    @Override
    public Checked keep(String ptxHash, Checked checked) throws IOException, InterruptedException {
        try {
            return session.keep(ptxHash, checked).checked();
        } catch (ApiRefusedException refused) {
            throw refusal(refused);
        }
    }

    /** To whoever checks it is the same: the store is of no use, and the emulator has to be asked. */
    private static IOException refusal(ApiRefusedException refused) {
        return new IOException("the API refuses: " + refused.getMessage(), refused);
    }
}
