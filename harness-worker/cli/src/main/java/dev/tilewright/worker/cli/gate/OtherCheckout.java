package dev.tilewright.worker.cli.gate;

import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.process.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Another commit of the user's repository in a temporary worktree. It is removed when it is closed and when this
 * process is ended; one that a killed process left is removed by the next.
 */
final class OtherCheckout implements AutoCloseable {

    private final Repository repository;
    private final ScratchDirectory scratch;
    private final Path tree;
    private final AtomicBoolean gone = new AtomicBoolean();
    private final Thread lastWord = new Thread(this::remove, "remove the worktree");

    private OtherCheckout(Repository repository, ScratchDirectory scratch) {
        this.repository = repository;
        this.scratch = scratch;
        this.tree = scratch.path().resolve("tree");
    }

    /** Checks a commit out. */
    static OtherCheckout of(Repository repository, String commit) throws InterruptedException {
        ScratchDirectory.clearAbandoned();
        repository.git().must("worktree", "prune");
        OtherCheckout checkout;
        try {
            checkout = new OtherCheckout(repository, ScratchDirectory.create("gate"));
        } catch (IOException full) {
            throw CommandFailedException.infrastructure("no room for a worktree: " + FileFault.reason(full), full);
        }
        Runtime.getRuntime().addShutdownHook(checkout.lastWord);
        try {
            // Hooks of the user are for the user's own checkouts.
            repository
                    .git()
                    .must(
                            "-c",
                            "core.hooksPath=/dev/null",
                            "worktree",
                            "add",
                            "--quiet",
                            "--detach",
                            checkout.tree.toString(),
                            commit);
            return checkout;
        } catch (CommandFailedException | InterruptedException failed) {
            checkout.close();
            throw failed;
        }
    }

    /** The folder in which {@code tilewright.yaml} lies, or would. */
    Path folder() {
        return tree.resolve(repository.prefix());
    }

    private void remove() {
        if (!gone.compareAndSet(false, true)) {
            return;
        }
        try {
            repository.git().ask("worktree", "remove", "--force", "--force", tree.toString());
            scratch.close();
            repository.git().ask("worktree", "prune");
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(lastWord);
        } catch (IllegalStateException ending) {
            // The hook found it gone, or waits for nobody.
        }
    }
}
