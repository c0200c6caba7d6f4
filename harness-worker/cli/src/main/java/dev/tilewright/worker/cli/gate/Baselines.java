package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateRequest.Baseline;
import dev.tilewright.worker.cli.gate.file.BaselineEntry;
import dev.tilewright.worker.cli.gate.file.CaseEntry;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.KernelEntry;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Baselines of the cases of a file. The kernel of another commit is the one that the service has stored of it, else it
 * is made once more in a checkout of that commit.
 */
final class Baselines implements AutoCloseable {

    private final GateStore store;
    private final GateFile file;
    private final String fileName;
    private final KernelShelf candidates;
    private final Optional<Repository> repository;
    private final PrintStream notices;
    private final Map<BaselineEntry.OfCommit, String> hashes = new HashMap<>();
    private final Map<String, OfCommit> commits = new HashMap<>();

    /**
     * @param fileName of {@code tilewright.yaml} in its folder
     * @param candidates those of the caller's checkout
     * @param repository empty if the folder is in none
     */
    Baselines(
            GateStore store,
            GateFile file,
            String fileName,
            KernelShelf candidates,
            Optional<Repository> repository,
            PrintStream notices) {
        this.store = store;
        this.file = file;
        this.fileName = fileName;
        this.candidates = candidates;
        this.repository = repository;
        this.notices = notices;
    }

    /** The baseline of a case. */
    Baseline of(CaseEntry one) throws ApiRefusedException, InterruptedException {
        return switch (one.baseline()) {
            case BaselineEntry.Run(var id) -> new Baseline(null, id, null);
            case BaselineEntry.LastPass(String branch) -> new Baseline(null, null, branch);
            case BaselineEntry.OtherKernel(KernelEntry kernel) ->
                new Baseline(candidates.ready(kernel).kernel(), null, null);
            case BaselineEntry.OfCommit commit -> new Baseline(of(one, commit), null, null);
        };
    }

    private GateKernel of(CaseEntry one, BaselineEntry.OfCommit baseline)
            throws ApiRefusedException, InterruptedException {
        String hash = hashes.get(baseline);
        if (hash == null) {
            hash = repository().commit(baseline);
            hashes.put(baseline, hash);
        }
        OfCommit commit = commits.get(hash);
        if (commit == null) {
            commit = new OfCommit(
                    new OtherCommit(repository(), hash, fileName, notices), store.candidates(file.gate(), hash));
            commits.put(hash, commit);
        }
        return commit.kernel(one);
    }

    private Repository repository() {
        return repository.orElseThrow(() -> CommandFailedException.usage(
                fileName + " is in no git repository, so its baseline cannot be a commit of one"));
    }

    /** The kernels of one commit. */
    private final class OfCommit {
        private final OtherCommit commit;
        private final Map<String, GateKernel> stored;
        private @Nullable KernelShelf shelf;

        private OfCommit(OtherCommit commit, Map<String, GateKernel> stored) {
            this.commit = commit;
            this.stored = stored;
        }

        private GateKernel kernel(CaseEntry one) throws ApiRefusedException, InterruptedException {
            GateKernel kept = stored.get(one.name());
            if (kept != null) {
                return kept;
            }
            KernelEntry now = one.kernel();
            Optional<KernelEntry> before = commit.file().flatMap(was -> was.kernel(now.name()));
            Optional<KernelEntry> alike =
                    before.filter(was -> was.origin().getClass() == now.origin().getClass());
            return switch (now.origin()) {
                case KernelEntry.OfFamily _, KernelEntry.Best _ ->
                    alike.isPresent() ? KernelShelf.plainly(alike.get()) : itself(now);
                // It is the same whatever the commit.
                case KernelEntry.OfPeer _ -> candidates.ready(now).kernel();
                case KernelEntry.OfBundle _ -> bundle(now, alike);
                case KernelEntry.Built _ ->
                    before.isPresent()
                            ? shelf().ready(now.with(before.get().config())).kernel()
                            : itself(now);
            };
        }

        /** A file that did not know the kernel yet says nothing of a folder, which may have been there all the same. */
        private GateKernel bundle(KernelEntry now, Optional<KernelEntry> before)
                throws ApiRefusedException, InterruptedException {
            if (before.isEmpty() && KernelShelf.isKept(now)) {
                return itself(now);
            }
            KernelEntry then = before.orElse(now);
            if (KernelShelf.isKept(then)) {
                return KernelShelf.kept(then);
            }
            return shelf().lacks(then) ? itself(now) : shelf().ready(then).kernel();
        }

        private GateKernel itself(KernelEntry now) throws ApiRefusedException, InterruptedException {
            notices.println("kernel '" + now.name() + "' is new since " + commit.shown()
                    + ": this once it is compared with itself");
            return candidates.ready(now).kernel();
        }

        private KernelShelf shelf() throws InterruptedException {
            if (shelf == null) {
                shelf = new KernelShelf(store, commit.folder(), notices);
            }
            return shelf;
        }
    }

    @Override
    public void close() {
        commits.values().forEach(one -> one.commit.close());
    }
}
