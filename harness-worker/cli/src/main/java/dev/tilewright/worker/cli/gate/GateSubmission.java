package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.worker.cli.gate.file.CaseEntry;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.GateFileReader;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The request for a gate run, made of the file and its checkout: bundles are built and uploaded on the way.
 *
 * @param path of {@code tilewright.yaml}
 * @param branch that the run is of, where the user or the CI system says it
 */
record GateSubmission(GateFile file, Path path, Optional<String> branch, PrintStream notices) {

    /**
     * The request.
     *
     * @param device that the run is for; {@code null} for any
     */
    GateRequest request(GateStore store, @Nullable String device, @Nullable Long seed)
            throws ApiRefusedException, InterruptedException {
        Path folder = GateFileReader.folder(path);
        Optional<Repository> repository = Repository.of(folder);
        String prefix = repository.map(Repository::prefix).orElse("");
        Optional<String> commit = commit(repository);
        KernelShelf shelf = new KernelShelf(store, folder, notices);
        List<GateRequest.Case> cases = new ArrayList<>();
        try (Baselines baselines =
                new Baselines(store, file, path.getFileName().toString(), shelf, repository, notices)) {
            for (CaseEntry one : file.cases()) {
                KernelShelf.Ready ready = shelf.ready(one.kernel());
                String source = one.kernel()
                        .source()
                        .or(ready::text)
                        .orElse(path.getFileName() + ":" + one.kernel().line());
                cases.add(new GateRequest.Case(
                        one.name(),
                        ProblemDocument.inShort(one.problem().problem(ready.problem())),
                        ready.kernel(),
                        baselines.of(one),
                        one.margins(),
                        one.weight(),
                        one.accept().isEmpty() ? null : one.accept(),
                        Path.of(prefix + source).normalize().toString()));
            }
        }
        return new GateRequest(
                commit.orElse(null),
                branch(repository).orElse(null),
                device,
                cases,
                file.budgetSeconds().orElse(null),
                file.retuneSeconds().orElse(null),
                seed);
    }

    /**
     * The origin of a run.
     *
     * @param commit empty if the folder is in no repository, or has changes
     * @param branch empty if nobody knows one
     */
    record Origin(Optional<String> commit, Optional<String> branch) {}

    /** The origin of the run. */
    Origin origin() throws InterruptedException {
        Optional<Repository> repository = Repository.of(GateFileReader.folder(path));
        return new Origin(commit(repository), branch(repository));
    }

    /** The commit of the run. Files that are not committed belong to no commit that anybody could check out. */
    private Optional<String> commit(Optional<Repository> repository) throws InterruptedException {
        if (repository.isEmpty()) {
            return Optional.empty();
        }
        if (repository.get().isChanged()) {
            notices.println("there are changes that are not committed: the run is of no commit");
            return Optional.empty();
        }
        return repository.get().head();
    }

    private Optional<String> branch(Optional<Repository> repository) throws InterruptedException {
        return branch.isPresent() || repository.isEmpty()
                ? branch
                : repository.get().branch();
    }
}
