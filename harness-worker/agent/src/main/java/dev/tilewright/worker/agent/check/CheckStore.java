package dev.tilewright.worker.agent.check;

import dev.tilewright.model.trial.Checked;
import java.io.IOException;
import java.util.Optional;

/** Where settled checks are kept for all workers. */
public interface CheckStore {

    /**
     * The check of a text.
     *
     * @param ptxHash SHA-256 of the text
     * @param emulator id of the build of the emulator whose word counts
     * @throws IOException if the store cannot be asked
     */
    Optional<Checked> find(String ptxHash, String emulator) throws IOException, InterruptedException;

    /**
     * Keeps a check that is conclusive.
     *
     * @return what holds now: this check, or a refutation that another worker found
     * @throws IOException if the store cannot be asked
     */
    Checked keep(String ptxHash, Checked checked) throws IOException, InterruptedException;
}
