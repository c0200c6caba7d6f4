package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.RunDecision;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.text.FileFault;
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
import java.io.OutputStream;
import java.io.PrintStream;
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
 * that of its own file, in a checkout of it; a pack that git does not keep there is that of the caller's checkout. A
 * program that the file of that commit does not have is compared with itself without its pack.
 *
 * @param path of {@code tilewright.yaml}
 * @param device that the run is for
 * @param environment of this process, which the programs get too
 */
record ProgramCases(
        GateFile file, Path path, DeviceSelector device, Map<String, String> environment, PrintStream notices) {

    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String HERE = "here";
    private static final String VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";

    /** A program, the commit of its baseline, and the entry of then; empty if it is new. */
    private record Plan(ProgramEntry entry, OtherCommit commit, Optional<ProgramEntry> then) {

        String words() {
            return String.join(" ", entry.run());
        }

        private String baseline() {
            return then.map(was -> String.join(" ", was.run()) + " at " + commit.shown())
                    .orElseGet(() -> "itself" + (entry.pack().isEmpty() ? "" : " without the pack"));
        }
    }

    /**
     * Requires that all of them could be compared.
     *
     * @return a line for each
     * @throws CommandFailedException if a baseline is no commit here, or a folder no pack
     */
    List<String> required() throws InterruptedException {
        List<String> lines = new ArrayList<>();
        try (Commits commits = new Commits()) {
            for (ProgramEntry entry : file.programs()) {
                Plan plan = commits.plan(entry);
                requirePack(entry);
                if (plan.then().isPresent()) {
                    packOf(plan, plan.then().get(), notices);
                }
                lines.add("program " + entry.name() + ": " + plan.words() + " " + HERE + " beside " + plan.baseline()
                        + ", with " + entry.time().toSeconds() + " s for their steps");
            }
        }
        return lines;
    }

    /** A run of them alone. No service knows it. */
    GateRun run(GateSubmission.Origin origin) throws InterruptedException {
        Instant began = Instant.now();
        List<CaseResult> results = results();
        GateRun none = new GateRun(
                UUID.randomUUID(),
                file.gate(),
                GateRun.State.FINISHED,
                origin.commit().orElse(null),
                origin.branch().orElse(null),
                device.toString(),
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

    /** Compares them, one after the other, and says of each how it went. */
    List<CaseResult> results() throws InterruptedException {
        List<CaseResult> results = new ArrayList<>();
        try (Commits commits = new Commits()) {
            for (ProgramEntry entry : file.programs()) {
                CaseResult result = result(commits.plan(entry));
                notices.println("program " + entry.name() + ": " + result.verdict() + ", " + result.reason());
                results.add(result);
            }
        } catch (IOException failed) {
            throw CommandFailedException.infrastructure(
                    "the programs cannot be run: " + FileFault.reason(failed), failed);
        }
        return results;
    }

    private CaseResult result(Plan plan) throws InterruptedException, IOException {
        ProgramEntry entry = plan.entry();
        if (device instanceof DeviceSelector.Simulated) {
            return new Sides(plan, plan.words(), plan.baseline())
                    .without(GateVerdict.INCONCLUSIVE, "a model runs no program: a gate of one needs a real GPU", "");
        }
        ComparedProgram candidate = new ComparedProgram(HERE, entry.run(), folder(), entry.step(), requirePack(entry));
        ComparedProgram baseline = baseline(plan, candidate);
        notices.println("program " + entry.name() + ": " + baseline.name() + " and " + HERE + " take turns, with "
                + entry.time().toSeconds() + " s for their steps");
        ProgramComparison comparison = new ProgramComparison(
                baseline, candidate, entry.warmUp(), entry.time(), PATIENCE, entry.margins(), ofDevice());
        Sides sides = new Sides(plan, words(candidate), words(baseline));
        try {
            return sides.timed(comparison.run(), baseline.name());
        } catch (ProgramFault fault) {
            String log = String.join("\n", fault.said());
            if (fault.kind() != ProgramFault.Kind.BROKEN || !fault.program().equals(HERE)) {
                return sides.without(GateVerdict.INCONCLUSIVE, fault.reason(), log);
            }
            return comparison
                    .excuse(fault)
                    .map(excuse -> sides.without(GateVerdict.INCONCLUSIVE, fault.reason() + "; " + excuse, log))
                    .orElseGet(() -> sides.without(GateVerdict.INVALID, fault.reason(), log));
        }
    }

    private Path folder() {
        return path.toAbsolutePath().normalize().getParent();
    }

    /** The GPU of a number is the only one that its programs see. */
    private Map<String, String> ofDevice() {
        if (!(device instanceof DeviceSelector.Cuda(int ordinal))) {
            return environment;
        }
        Map<String, String> whole = new HashMap<>(environment);
        List<String> visible = Stream.of(
                        environment.getOrDefault(VISIBLE_DEVICES, "").split(","))
                .filter(name -> !name.isBlank())
                .toList();
        whole.put(VISIBLE_DEVICES, ordinal < visible.size() ? visible.get(ordinal) : Integer.toString(ordinal));
        return whole;
    }

    /** The pack of a program here. */
    private ComparedProgram.Pack requirePack(ProgramEntry entry) {
        if (entry.pack().isEmpty()) {
            return new ComparedProgram.Own();
        }
        Path pack = folder().resolve(entry.pack().get()).normalize();
        RunCommand.requirePack("program '" + entry.name() + "'", pack);
        return new ComparedProgram.Given(pack);
    }

    private ComparedProgram baseline(Plan plan, ComparedProgram candidate) throws InterruptedException {
        ProgramEntry entry = plan.entry();
        if (plan.then().isEmpty()) {
            notices.println("program '" + entry.name() + "' is new since "
                    + plan.commit().shown() + ": this once it is compared with itself"
                    + (entry.pack().isEmpty() ? "" : " without its pack"));
            return entry.pack().isEmpty()
                    ? new ComparedProgram("once more", entry.run(), folder(), entry.step(), candidate.pack())
                    : new ComparedProgram(
                            "without the pack", entry.run(), folder(), entry.step(), new ComparedProgram.Without());
        }
        ProgramEntry then = plan.then().get();
        ComparedProgram.Pack pack = packOf(plan, then, new PrintStream(OutputStream.nullOutputStream()));
        return new ComparedProgram(
                "at " + plan.commit().shown(), then.run(), plan.commit().folder(), then.step(), pack);
    }

    /**
     * The pack of a program then.
     *
     * @param told is told where it is that of another checkout
     * @throws CommandFailedException if neither git nor this checkout has it
     */
    private ComparedProgram.Pack packOf(Plan plan, ProgramEntry then, PrintStream told) throws InterruptedException {
        if (then.pack().isEmpty()) {
            return new ComparedProgram.Own();
        }
        String pack = then.pack().get();
        if (plan.commit().has(pack + "/pack.json")) {
            return new ComparedProgram.Given(plan.commit().folder().resolve(pack));
        }
        Path here = folder().resolve(pack).normalize();
        if (RunCommand.isPack(here)) {
            told.println("program '" + then.name() + "': git has no " + pack + " of "
                    + plan.commit().shown() + ", so the baseline uses that of this checkout");
            return new ComparedProgram.Given(here);
        }
        ComparedProgram.Pack now = requirePack(plan.entry());
        if (now instanceof ComparedProgram.Given) {
            told.println("program '" + then.name() + "': neither git nor this checkout has the " + pack + " of "
                    + plan.commit().shown() + ", so both use "
                    + plan.entry().pack().get());
            return now;
        }
        throw CommandFailedException.usage("program '" + then.name() + "': neither git nor this checkout has the pack "
                + pack + " of " + plan.commit().shown() + ", so its baseline cannot be run; put it there once more");
    }

    private static String words(ComparedProgram program) {
        return String.join(" ", program.command()) + " " + program.name();
    }

    /** The commits of the baselines, each of which is checked out once. */
    private final class Commits implements AutoCloseable {
        private final Map<String, OtherCommit> commits = new HashMap<>();

        private Plan plan(ProgramEntry entry) throws InterruptedException {
            OtherCommit commit = commit(entry.baseline());
            return new Plan(entry, commit, commit.file().flatMap(was -> was.program(entry.name())));
        }

        private OtherCommit commit(BaselineEntry.OfCommit baseline) throws InterruptedException {
            Repository repository = Repository.of(folder())
                    .orElseThrow(() -> CommandFailedException.usage(path.getFileName()
                            + " is in no git repository, so its baseline cannot be a commit of one"));
            String hash = repository.commit(baseline);
            return commits.computeIfAbsent(
                    hash,
                    _ -> new OtherCommit(repository, hash, path.getFileName().toString(), notices));
        }

        @Override
        public void close() {
            commits.values().forEach(OtherCommit::close);
        }
    }

    /** The two sides of a case, in words. */
    private final class Sides {
        private final Plan plan;
        private final String candidate;
        private final String baseline;

        private Sides(Plan plan, String candidate, String baseline) {
            this.plan = plan;
            this.candidate = candidate;
            this.baseline = baseline;
        }

        private CaseResult timed(ProgramComparison.Outcome outcome, String nameOfBaseline) {
            ProgramTimes times = outcome.times();
            String gpu = outcome.gpu().orElse("no GPU");
            String log = Stream.concat(
                            Stream.of("on " + gpu, times.medians(nameOfBaseline, HERE)), times.sentinels().stream())
                    .collect(Collectors.joining("\n"));
            CaseResult.Side here = side(candidate + pack(outcome.candidatePack()), log);
            CaseResult.Side then = side(baseline + pack(outcome.baselinePack()), "");
            return outcome.gpu().isEmpty()
                    ? result(here, then, GateVerdict.INCONCLUSIVE, "the program uses no GPU", null)
                    : result(
                            here,
                            then,
                            times.decision().verdict(),
                            times.decision().reason(),
                            times.effect().effect());
        }

        /** Where there are no times. */
        private CaseResult without(GateVerdict verdict, String reason, String log) {
            return result(side(candidate, log), side(baseline, ""), verdict, reason, null);
        }

        private CaseResult result(
                CaseResult.Side here,
                CaseResult.Side then,
                GateVerdict verdict,
                String reason,
                @Nullable Effect effect) {
            ProgramEntry entry = plan.entry();
            return new CaseResult(
                    entry.name(),
                    null,
                    here,
                    then,
                    entry.margins(),
                    entry.weight(),
                    List.of(),
                    plan.commit().inRepository(path.getFileName().toString()) + ":" + entry.line(),
                    verdict,
                    reason,
                    effect,
                    effect == null
                            ? List.of()
                            : List.of(new CaseResult.Stage(1, verdict, effect, effect.blocks(), 0, List.of(), "")),
                    null,
                    null);
        }

        private static CaseResult.Side side(String words, String log) {
            return new CaseResult.Side(words, null, null, null, null, null, log);
        }

        private static String pack(String hash) {
            return hash.equals("none") ? "" : ", pack " + hash;
        }
    }
}
