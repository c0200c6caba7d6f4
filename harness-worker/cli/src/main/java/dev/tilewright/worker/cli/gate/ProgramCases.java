package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.RunDecision;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.gate.file.BaselineEntry;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.ProgramEntry;
import dev.tilewright.worker.cli.program.ComparedProgram;
import dev.tilewright.worker.cli.program.ProgramComparison;
import dev.tilewright.worker.cli.program.ProgramFault;
import dev.tilewright.worker.cli.program.ProgramTimes;
import dev.tilewright.worker.cli.program.RunCommand;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The programs of a file, each beside itself at its baseline's commit, on this machine. The program of that commit is
 * that of its own file, in a checkout of it; a pack that it does not keep is that of the caller's checkout. A program
 * that the file of that commit does not have is compared with itself without its pack.
 */
final class ProgramCases implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String HERE = "here";

    private final GateFile file;
    private final Path folder;
    private final String fileName;
    private final Optional<Repository> repository;
    private final Map<String, String> environment;
    private final PrintStream notices;
    private final Map<String, OtherCommit> commits = new HashMap<>();
    private @Nullable List<Pair> pairs;

    /**
     * @param path of {@code tilewright.yaml}
     * @param environment of this process
     */
    ProgramCases(GateFile file, Path path, Map<String, String> environment, PrintStream notices)
            throws InterruptedException {
        this.file = file;
        this.folder = path.toAbsolutePath().normalize().getParent();
        this.fileName = path.getFileName().toString();
        this.repository = Repository.of(folder);
        this.environment = environment;
        this.notices = notices;
    }

    /** What is compared. */
    private record Pair(ProgramEntry entry, ComparedProgram baseline, ComparedProgram candidate) {}

    /**
     * The programs, ready to run.
     *
     * @throws CommandFailedException if a baseline is no commit here, or a folder no pack
     */
    private List<Pair> pairs() throws InterruptedException {
        if (pairs != null) {
            return pairs;
        }
        pairs = new ArrayList<>();
        for (ProgramEntry entry : file.programs()) {
            ComparedProgram candidate = new ComparedProgram(
                    HERE, entry.run(), folder, pack(entry, folder).orElse(new ComparedProgram.Own()));
            pairs.add(new Pair(entry, baseline(entry, candidate), candidate));
        }
        return pairs;
    }

    /**
     * Requires that all of them could be compared, and says how.
     *
     * @param out gets a line for each
     */
    void rehearse(Printer out) throws InterruptedException {
        for (Pair pair : pairs()) {
            out.println("program " + pair.entry().name() + ": " + words(pair.candidate()) + " " + HERE + ", beside "
                    + words(pair.baseline()) + " " + pair.baseline().name() + ", for at most "
                    + pair.entry().time().toSeconds() + " s");
        }
    }

    /** Requires that all of them could be compared. */
    void require() throws InterruptedException {
        pairs();
    }

    /** A run of them alone. No service knows it. */
    GateRun run(GateSubmission.Origin origin) throws InterruptedException, IOException {
        Instant began = Instant.now();
        List<CaseResult> results = results();
        GateRun none = new GateRun(
                UUID.randomUUID(),
                file.gate(),
                GateRun.State.FINISHED,
                origin.commit().orElse(null),
                origin.branch().orElse(null),
                file.device(),
                null,
                null,
                null,
                List.of(),
                List.of(),
                null,
                0,
                null,
                null,
                0,
                GateRule.VERSION,
                null,
                null,
                began,
                Instant.now());
        return RunDecision.withPrograms(none, results);
    }

    /** Compares them, one after the other. */
    List<CaseResult> results() throws InterruptedException, IOException {
        List<CaseResult> results = new ArrayList<>();
        for (Pair pair : pairs()) {
            notices.println(
                    "program " + pair.entry().name() + ": " + pair.baseline().name() + " and " + HERE
                            + " take turns, for at most " + pair.entry().time().toSeconds() + " s");
            results.add(result(pair));
        }
        return results;
    }

    private Optional<ComparedProgram.Pack> pack(ProgramEntry entry, Path where) {
        return entry.pack().map(pack -> {
            Path given = where.resolve(pack).normalize();
            RunCommand.requirePack("program '" + entry.name() + "'", given);
            return new ComparedProgram.Given(given);
        });
    }

    private ComparedProgram baseline(ProgramEntry entry, ComparedProgram candidate) throws InterruptedException {
        OtherCommit commit = commit(entry.baseline());
        Optional<ProgramEntry> before = commit.file().flatMap(was -> was.program(entry.name()));
        if (before.isEmpty()) {
            notices.println("program '" + entry.name() + "' is new since " + commit.shown()
                    + ": this once it is compared with itself" + (entry.pack().isEmpty() ? "" : " without its pack"));
            return entry.pack().isEmpty()
                    ? new ComparedProgram("once more", entry.run(), folder, candidate.pack())
                    : new ComparedProgram("without the pack", entry.run(), folder, new ComparedProgram.Without());
        }
        ProgramEntry then = before.get();
        Path where = commit.folder();
        boolean kept = then.pack()
                .filter(pack -> Files.isDirectory(where.resolve(pack)))
                .isPresent();
        if (then.pack().isPresent() && !kept) {
            notices.println("program '" + entry.name() + "': " + commit.shown() + " has no folder "
                    + then.pack().get() + ", so both use the pack of this checkout");
        }
        ComparedProgram.Pack pack = kept
                ? pack(then, where).orElseThrow()
                : then.pack().isPresent() ? candidate.pack() : new ComparedProgram.Own();
        return new ComparedProgram("at " + commit.shown(), then.run(), where, pack);
    }

    private OtherCommit commit(BaselineEntry.OfCommit baseline) throws InterruptedException {
        Repository known = repository.orElseThrow(() -> CommandFailedException.usage(
                fileName + " is in no git repository, so its baseline cannot be a commit of one"));
        String hash = known.commit(baseline);
        return commits.computeIfAbsent(hash, _ -> new OtherCommit(known, hash, fileName, notices));
    }

    private CaseResult result(Pair pair) throws InterruptedException, IOException {
        ProgramEntry entry = pair.entry();
        try {
            ProgramComparison.Outcome outcome = new ProgramComparison(
                            pair.baseline(),
                            pair.candidate(),
                            entry.step(),
                            entry.warmUp(),
                            entry.time(),
                            PATIENCE,
                            entry.margins(),
                            environment)
                    .run();
            return timed(pair, outcome);
        } catch (ProgramFault fault) {
            // A program that fails at the baseline too says nothing of what has changed since.
            boolean broken =
                    fault.kind() == ProgramFault.Kind.BROKEN && fault.program().equals(HERE);
            List<String> said = String.valueOf(fault.getMessage()).lines().toList();
            return result(
                    pair,
                    side(
                            pair.candidate(),
                            "",
                            said.stream().skip(1).map(String::strip).collect(Collectors.joining("\n"))),
                    side(pair.baseline(), "", ""),
                    broken ? GateVerdict.INVALID : GateVerdict.INCONCLUSIVE,
                    said.getFirst(),
                    null);
        }
    }

    private CaseResult timed(Pair pair, ProgramComparison.Outcome outcome) {
        ProgramTimes times = outcome.times();
        String log = Stream.concat(Stream.of(times.medians(pair.baseline().name(), HERE)), times.sentinels().stream())
                .collect(Collectors.joining("\n"));
        return result(
                pair,
                side(pair.candidate(), outcome.candidatePack(), log),
                side(pair.baseline(), outcome.baselinePack(), ""),
                times.decision().verdict(),
                times.decision().reason(),
                times);
    }

    private CaseResult result(
            Pair pair,
            CaseResult.Side candidate,
            CaseResult.Side baseline,
            GateVerdict verdict,
            String reason,
            @Nullable ProgramTimes times) {
        ProgramEntry entry = pair.entry();
        Effect effect = times == null ? null : times.effect().effect();
        return new CaseResult(
                entry.name(),
                null,
                candidate,
                baseline,
                entry.margins(),
                entry.weight(),
                List.of(),
                repository.map(Repository::prefix).orElse("") + fileName + ":" + entry.line(),
                verdict,
                reason,
                effect,
                times == null || effect == null
                        ? List.of()
                        : List.of(new CaseResult.Stage(
                                1, times.effect().verdict(), effect, effect.blocks(), 0, List.of(), "")),
                null,
                null);
    }

    private static CaseResult.Side side(ComparedProgram program, String pack, String log) {
        String with = pack.isEmpty() || pack.equals("none") ? "" : ", pack " + pack;
        return new CaseResult.Side(words(program) + " " + program.name() + with, null, null, null, null, null, log);
    }

    private static String words(ComparedProgram program) {
        return String.join(" ", program.command());
    }

    @Override
    public void close() {
        commits.values().forEach(OtherCommit::close);
    }
}
