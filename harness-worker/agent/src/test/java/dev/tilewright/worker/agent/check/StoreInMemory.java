package dev.tilewright.worker.agent.check;

import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps checks as the service does; may be away. */
public final class StoreInMemory implements CheckStore {

    private final Map<List<String>, Checked> kept = new ConcurrentHashMap<>();
    private volatile boolean away;

    public void goAway() {
        away = true;
    }

    /** What is kept of a text, from the build of the fake emulator. */
    public Optional<Checked> of(String ptxHash) {
        return Optional.ofNullable(kept.get(List.of(ptxHash, FakeEmulator.BUILD)));
    }

    @Override
    public Optional<Checked> find(String ptxHash, String emulator) throws IOException {
        refuseIfAway();
        return Optional.ofNullable(kept.get(List.of(ptxHash, emulator))).map(Checked::fromCache);
    }

    @Override
    public Checked keep(String ptxHash, Checked checked) throws IOException {
        refuseIfAway();
        if (!checked.verdict().isConclusive()) {
            throw new IOException("422: only proved and refuted are kept, got " + checked.verdict());
        }
        return kept.merge(
                        List.of(ptxHash, checked.emulator()),
                        checked,
                        (old, fresh) -> old.verdict() == Verdict.REFUTED ? old : fresh)
                .fromCache();
    }

    private void refuseIfAway() throws IOException {
        if (away) {
            throw new IOException("503: the database is away");
        }
    }
}
