package dev.tilewright.worker.agent.lease;

import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.worker.agent.check.CheckStore;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The checks that the API keeps for all workers, and those of this worker that it does not know yet: it learns of a
 * check by the report of a trial that has the text.
 */
public final class SharedChecks implements CheckStore {

    /** More texts than leases that a worker holds. */
    private static final int MAX_CHECKS_KEPT = 4096;

    private final WorkerSession session;
    private final Map<Text, Checked> own = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Text, Checked> eldest) {
            return size() > MAX_CHECKS_KEPT;
        }
    };

    private record Text(String ptxHash, String emulator) {}

    public SharedChecks(WorkerSession session) {
        this.session = session;
    }

    @Override
    public Optional<Checked> find(String ptxHash, String emulator) throws IOException, InterruptedException {
        try {
            return session.check(ptxHash, emulator).or(() -> own(new Text(ptxHash, emulator)));
        } catch (ApiRefusedException refused) {
            // To whoever checks it is the same: the store is of no use, and the emulator has to be asked.
            throw new IOException("the API refuses: " + refused.getMessage(), refused);
        }
    }

    private Optional<Checked> own(Text text) {
        synchronized (own) {
            return Optional.ofNullable(own.get(text)).map(Checked::fromCache);
        }
    }

    @Override
    public Checked keep(String ptxHash, Checked checked) {
        synchronized (own) {
            return own.merge(
                    new Text(ptxHash, checked.emulator()),
                    checked,
                    (old, fresh) -> old.verdict() == Verdict.REFUTED ? old : fresh);
        }
    }
}
